package io.cadastre.agent.calico;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Pause;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.UnparsableEntryException;

import java.time.Duration;

/// Whether the cluster says that its store may be written. It is watched, so that asking costs nothing;
/// while the watch is broken, it is read.
final class ClusterGate implements AutoCloseable {

    private static final CalicoKey KEY = new CalicoKey.OfClusterInformation();

    /// How long a watch is waited on before it is asked whether to go on.
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Duration BEFORE_RETRY = Duration.ofSeconds(1);

    private final Datastore store;
    private final Pause pause;
    private final Thread watching;
    private volatile Standing standing = Standing.UNKNOWN;
    private volatile boolean closed;

    private enum Standing {
        OPEN,
        SHUT,
        UNKNOWN
    }

    private ClusterGate(Datastore store, Pause pause) {
        this.store = store;
        this.pause = pause;
        this.watching = Thread.ofVirtual().name("cluster-gate").unstarted(this::keepWatch);
    }

    static ClusterGate begin(Datastore store, Pause pause) {
        var gate = new ClusterGate(store, pause);
        gate.watching.start();
        return gate;
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

    private void keepWatch() {
        // Ends: when the gate is closed.
        while (!closed) {
            try {
                var listing = store.listAll(KEY.text());
                standing =
                        listing.documents().stream()
                                .filter(document -> document.key().equals(KEY.text()))
                                .findFirst()
                                .map(document -> standing(document.value()))
                                .orElse(Standing.OPEN);
                try (var watch = store.watch(KEY.text(), listing.revision())) {
                    follow(watch);
                }
            } catch (DatastoreException broken) {
                standing = Standing.UNKNOWN;
                rest();
            }
        }
        standing = Standing.UNKNOWN;
    }

    private void follow(Watch watch) {
        // Ends: when the gate is closed or the watch is over.
        while (!closed) {
            switch (watch.next(LOOK_UP)) {
                case Watch.Notice.Changed changed -> changed.changes().forEach(this::note);
                case Watch.Notice.Quiet _ -> {}
                case Watch.Notice.Compacted _ -> {
                    return;
                }
            }
        }
    }

    private void note(Watch.Change change) {
        switch (change) {
            case Watch.Change.Put(var document) when document.key().equals(KEY.text()) ->
                    standing = standing(document.value());
            case Watch.Change.Deleted(var key, _) when key.equals(KEY.text()) ->
                    standing = Standing.OPEN;
            // Its key begins another's.
            case Watch.Change.Put _, Watch.Change.Deleted _ -> {}
        }
    }

    private void rest() {
        if (closed) {
            return;
        }
        try {
            pause.pause(BEFORE_RETRY);
        } catch (InterruptedException interrupted) {
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        watching.interrupt();
        try {
            watching.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
