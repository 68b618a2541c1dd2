package io.cadastre.controller.collection;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Pause;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Lists and watches every subject, each on a thread of its own, for as long as it is open.
///
/// Lists are taken page by page, so that the documents of a large cluster are never in memory all at
/// once; what is kept of them is small.
final class Follower implements AutoCloseable {

    /// How long a watch is waited on before it is asked whether to go on.
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Duration BEFORE_RETRY = Duration.ofSeconds(1);

    private final Datastore store;
    private final ClusterState state;
    private final Pause pause;
    private final Consumer<String> complaints;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private Follower(
            Datastore store, ClusterState state, Pause pause, Consumer<String> complaints) {
        this.store = store;
        this.state = state;
        this.pause = pause;
        this.complaints = complaints;
    }

    static Follower begin(
            Datastore store, ClusterState state, Pause pause, Consumer<String> complaints) {
        var follower = new Follower(store, state, pause, complaints);
        for (var subject : Subject.values()) {
            follower.threads.add(
                    Thread.ofVirtual()
                            .name("follow-" + subject)
                            .start(() -> follower.follow(subject)));
        }
        return follower;
    }

    /// A trouble that lasts is told once.
    private void follow(Subject subject) {
        var told = "";
        // Ends: when the follower is closed.
        while (!closed) {
            try {
                long revision = list(subject);
                told = "";
                try (var watch = store.watch(subject.prefix(), revision)) {
                    follow(subject, watch);
                }
            } catch (CompactedException _) {
                // The list begins again.
            } catch (DatastoreException broken) {
                state.lost(subject);
                if (!closed) {
                    var trouble =
                            "cannot follow %s: %s".formatted(subject.prefix(), broken.getMessage());
                    if (!trouble.equals(told)) {
                        told = trouble;
                        complaints.accept(trouble);
                    }
                    rest();
                }
            }
        }
        state.lost(subject);
    }

    private long list(Subject subject) {
        state.begin(subject);
        var page = store.list(subject.prefix(), Datastore.PAGE_DOCUMENTS_MAX);
        state.fill(subject, page.documents());
        // Ends: each page begins after the last key of the one before.
        while (page.next().isPresent()) {
            page = store.list(page.next().get(), Datastore.PAGE_DOCUMENTS_MAX);
            state.fill(subject, page.documents());
        }
        state.complete(subject);
        return page.revision();
    }

    private void follow(Subject subject, Watch watch) {
        // Ends: when the follower is closed or the watch is over.
        while (!closed) {
            switch (watch.next(LOOK_UP)) {
                case Watch.Notice.Changed changed -> state.change(subject, changed);
                case Watch.Notice.Quiet _ -> {}
                case Watch.Notice.Compacted _ -> {
                    return;
                }
            }
        }
    }

    private void rest() {
        try {
            pause.pause(BEFORE_RETRY);
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
