package io.cadastre.registry;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Lists and then watches what is under some prefixes, each on a thread of its own, for as long as it is
/// open. When a watch is over or the store fails, the list begins again.
public final class Reflector implements AutoCloseable {

    /// How long a watch is waited on before it is asked whether to go on.
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Duration BEFORE_RETRY = Duration.ofSeconds(1);

    /// How long a kind that the server lacks is left alone. Every agent of a cluster asks for it.
    private static final Duration BEFORE_RETRY_OF_A_MISSING_KIND = Duration.ofMinutes(1);

    private final Datastore store;
    private final Pause pause;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /// Keeps the documents under one prefix. All calls come from one thread.
    public interface WatchHandler {

        /// What the thread is called.
        String name();

        String prefix();

        /// Takes all documents under the prefix in the place of what is known.
        ///
        /// @return the revision of the list, or nothing if it is to begin again at once
        OptionalLong list(Datastore store);

        /// Takes what has changed since.
        void change(Watch.Notice.Changed changed);

        /// Changes are no longer reported.
        void lost();

        /// The store failed. It is tried again.
        default void failed(DatastoreException failure) {}
    }

    private Reflector(Datastore store, Pause pause) {
        this.store = store;
        this.pause = pause;
    }

    /// Begins to watch, and does not wait until everything was listed for the first time.
    public static Reflector begin(Datastore store, Pause pause, List<? extends WatchHandler> handlers) {
        var reflector = new Reflector(store, pause);
        for (var handler : handlers) {
            reflector.threads.add(Thread.ofVirtual().name(handler.name()).start(() -> reflector.keep(handler)));
        }
        return reflector;
    }

    private void keep(WatchHandler handler) {
        // Ends: when the reflector is closed.
        while (!closed) {
            try {
                var revision = handler.list(store);
                if (revision.isPresent()) {
                    try (var watch = store.watch(handler.prefix(), revision.getAsLong())) {
                        follow(handler, watch);
                    }
                }
            } catch (DatastoreException failure) {
                handler.lost();
                if (!closed) {
                    handler.failed(failure);
                    rest(
                            failure.kind() == DatastoreException.Kind.NOT_INSTALLED
                                    ? BEFORE_RETRY_OF_A_MISSING_KIND
                                    : BEFORE_RETRY);
                }
            }
        }
        handler.lost();
    }

    private void follow(WatchHandler handler, Watch watch) {
        // Ends: when the reflector is closed or the watch is over.
        while (!closed) {
            switch (watch.next(LOOK_UP)) {
                case Watch.Notice.Changed changed -> handler.change(changed);
                case Watch.Notice.Quiet _ -> {}
                case Watch.Notice.Compacted _ -> {
                    return;
                }
            }
        }
    }

    private void rest(Duration length) {
        try {
            pause.pause(length);
        } catch (InterruptedException _) {
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
