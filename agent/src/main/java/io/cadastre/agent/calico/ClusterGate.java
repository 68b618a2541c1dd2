package io.cadastre.agent.calico;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Reflector;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/// Whether the ClusterInformation allows writing to the store; it does where there is none, also in a cluster that
/// lacks the kind. It is watched, so that asking costs nothing; while the watch is broken, it is read.
public final class ClusterGate implements AutoCloseable {

    static final String NOT_READY = "Calico is currently not ready to process requests";

    private static final CalicoKey KEY = new CalicoKey.OfClusterInformation();

    private final Datastore store;
    private final Reflector reflector;
    private volatile StoreReadiness readiness = StoreReadiness.UNKNOWN;

    private enum StoreReadiness {
        OPEN,
        SHUT,
        UNKNOWN
    }

    private ClusterGate(Datastore store, Pause pause) {
        this.store = store;
        this.reflector = Reflector.begin(store, pause, List.of(new Watcher()));
    }

    static ClusterGate begin(Datastore store, Pause pause) {
        return new ClusterGate(store, pause);
    }

    /// Refuses a call while the cluster keeps its store closed.
    ///
    /// @throws CniException if the store must not be written now, or the ClusterInformation cannot be read
    /// @throws DatastoreException if the store cannot answer
    public void requireOpen() {
        require(this::open);
    }

    /// The same, by what the store says at this moment and not by a watch, which may be behind. For what no
    /// compare-and-set in the store guards, such as addresses of host-local.
    ///
    /// @throws CniException as in [#requireOpen()]
    /// @throws DatastoreException if the store cannot answer
    public void requireOpenNow() {
        require(this::fetchOpen);
    }

    private static void require(BooleanSupplier state) {
        boolean open;
        try {
            open = state.getAsBoolean();
        } catch (UnparsableEntryException unreadable) {
            throw new CniException(
                    CniError.of(CniCode.INTERNAL, "error getting ClusterInformation: " + unreadable.getMessage()),
                    unreadable);
        }
        if (!open) {
            throw new CniException(CniCode.TRY_AGAIN_LATER, NOT_READY);
        }
    }

    /// @throws DatastoreException if the store cannot answer
    boolean open() {
        return switch (readiness) {
            case OPEN -> true;
            case SHUT -> false;
            case UNKNOWN -> fetchOpen();
        };
    }

    private boolean fetchOpen() {
        try {
            return store.get(KEY.text())
                    .map(document -> ready(document.value()))
                    .orElse(true);
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.NOT_INSTALLED) {
                return true;
            }
            throw failed;
        }
    }

    private static boolean ready(Bytes value) {
        return CalicoDocument.decode(KEY, value) instanceof ClusterInformationDocument cluster && cluster.ready();
    }

    /// A document that cannot be read is read again when a caller asks, and that caller gets the error.
    private static StoreReadiness readiness(Bytes value) {
        try {
            return ready(value) ? StoreReadiness.OPEN : StoreReadiness.SHUT;
        } catch (UnparsableEntryException unreadable) {
            return StoreReadiness.UNKNOWN;
        }
    }

    @Override
    public void close() {
        reflector.close();
    }

    private final class Watcher implements Reflector.WatchHandler {

        @Override
        public String name() {
            return "cluster-gate";
        }

        @Override
        public String prefix() {
            return KEY.text();
        }

        @Override
        public OptionalLong list(Datastore listed) {
            var listing = listed.listAll(prefix());
            readiness = listing.documents().stream()
                    .filter(document -> document.key().equals(prefix()))
                    .findFirst()
                    .map(document -> readiness(document.value()))
                    .orElse(StoreReadiness.OPEN);
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            changed.changes().forEach(this::note);
        }

        private void note(Watch.Change change) {
            switch (change) {
                case Watch.Change.Put(var document)
                when document.key().equals(prefix()) -> readiness = readiness(document.value());
                case Watch.Change.Deleted(var key, var _) when key.equals(prefix()) -> readiness = StoreReadiness.OPEN;
                // Its key begins another's.
                case Watch.Change.Put _, Watch.Change.Deleted _ -> {}
            }
        }

        @Override
        public void lost() {
            readiness = StoreReadiness.UNKNOWN;
        }
    }
}
