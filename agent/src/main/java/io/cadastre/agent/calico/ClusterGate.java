package io.cadastre.agent.calico;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Vigil;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.UnparsableEntryException;

import java.util.List;
import java.util.OptionalLong;

/// Whether the cluster says that its store may be written. It is watched, so that asking costs nothing;
/// while the watch is broken, it is read.
final class ClusterGate implements AutoCloseable {

    private static final CalicoKey KEY = new CalicoKey.OfClusterInformation();

    private final Datastore store;
    private final Vigil vigil;
    private volatile Standing standing = Standing.UNKNOWN;

    private enum Standing {
        OPEN,
        SHUT,
        UNKNOWN
    }

    private ClusterGate(Datastore store, Pause pause) {
        this.store = store;
        this.vigil = Vigil.begin(store, pause, List.of(new Watcher()));
    }

    static ClusterGate begin(Datastore store, Pause pause) {
        return new ClusterGate(store, pause);
    }

    /// @throws DatastoreException if nobody can tell
    boolean open() {
        return switch (standing) {
            case OPEN -> true;
            case SHUT -> false;
            case UNKNOWN ->
                    store.get(KEY.text()).map(document -> ready(document.value())).orElse(true);
        };
    }

    private static boolean ready(Bytes value) {
        return CalicoDocument.decode(KEY, value) instanceof ClusterInformationDocument cluster
                && cluster.ready();
    }

    /// A document that cannot be read is read again by whoever asks, who is then told why.
    private static Standing standing(Bytes value) {
        try {
            return ready(value) ? Standing.OPEN : Standing.SHUT;
        } catch (UnparsableEntryException unreadable) {
            return Standing.UNKNOWN;
        }
    }

    @Override
    public void close() {
        vigil.close();
    }

    private final class Watcher implements Vigil.Keeper {

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
            standing =
                    listing.documents().stream()
                            .filter(document -> document.key().equals(prefix()))
                            .findFirst()
                            .map(document -> standing(document.value()))
                            .orElse(Standing.OPEN);
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            changed.changes().forEach(this::note);
        }

        private void note(Watch.Change change) {
            switch (change) {
                case Watch.Change.Put(var document) when document.key().equals(prefix()) ->
                        standing = standing(document.value());
                case Watch.Change.Deleted(var key, _) when key.equals(prefix()) ->
                        standing = Standing.OPEN;
                // Its key begins another's.
                case Watch.Change.Put _, Watch.Change.Deleted _ -> {}
            }
        }

        @Override
        public void lost() {
            standing = Standing.UNKNOWN;
        }
    }
}
