package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.DatastoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Writers that count up, each in a key of its own, while a test breaks things under them.
///
/// A writer has no rival, so every conflict it meets must be with itself: with a commit of its own
/// whose answer was lost. A conflict without one is false, and so is a failure that had an effect.
public final class Load implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Set<Kind> expected;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Counter> counters = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicInteger unknown = new AtomicInteger();
    private volatile boolean stopping;

    /// @param expected what the store may say while its server is away
    public Load(Datastore store, int writerCount, Set<Kind> expected) {
        this.expected = Set.copyOf(expected);
        for (int index = 0; index < writerCount; index++) {
            var counter = new Counter(store, "load/" + index);
            counters.add(counter);
            running.add(threads.submit(counter::run));
        }
    }

    /// Waits until every writer has this many more commits answered as done.
    public void awaitProgress(int commitCount) {
        var goals = counters.stream()
                .map(counter -> counter.done.get() + commitCount)
                .toList();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            for (int index = 0; index < counters.size(); index++) {
                if (running.get(index).isDone()) {
                    running.get(index).get();
                }
                if (counters.get(index).done.get() < goals.get(index)) {
                    return false;
                }
            }
            return true;
        });
    }

    /// Waits until the outcome of this many commits is unknown.
    public void awaitUnknown(int commitCount) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> unknown.get() >= commitCount);
    }

    /// Stops, and checks that the store agrees with the outcomes.
    public void stopAndCheck(Datastore store) throws Exception {
        stopping = true;
        for (var run : running) {
            run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        for (var counter : counters) {
            long found = store.get(counter.key).map(Load::count).orElse(0L);
            assertThat(found).isBetween(counter.acknowledged, counter.attempted);
            assertThat(counter.falseConflicts).isZero();
        }
    }

    @Override
    public void close() {
        stopping = true;
        threads.close();
    }

    private static long count(Document document) {
        return Long.parseLong(document.value().utf8());
    }

    private final class Counter {

        private final Datastore store;
        private final String key;
        private final AtomicInteger done = new AtomicInteger();
        private long acknowledged;
        private long attempted;
        private int falseConflicts;

        Counter(Datastore store, String key) {
            this.store = store;
            this.key = key;
        }

        /// Ends: the test stops the load.
        void run() {
            boolean lostAnswer = false;
            Optional<Document> known = Optional.empty();
            while (!stopping) {
                try {
                    if (known.isEmpty() || lostAnswer) {
                        known = store.get(key);
                    }
                    long next = known.map(Load::count).orElse(0L) + 1;
                    attempted = Math.max(attempted, next);
                    switch (store.commit(List.of(write(known, next)))) {
                        case Commit.Done told -> {
                            acknowledged = next;
                            known = Optional.of(new Document(
                                    key, value(next), told.revisions().getFirst()));
                            lostAnswer = false;
                            done.incrementAndGet();
                        }
                        case Commit.Conflict _ -> {
                            falseConflicts += lostAnswer ? 0 : 1;
                            known = Optional.empty();
                        }
                        case Commit.Unknown _ -> {
                            lostAnswer = true;
                            unknown.incrementAndGet();
                        }
                    }
                } catch (DatastoreException failed) {
                    assertThat(failed.kind()).as(failed.getMessage()).isIn(expected);
                }
            }
        }

        private Write write(Optional<Document> known, long next) {
            return known.<Write>map(document -> new Write.Update(key, value(next), document.revision()))
                    .orElseGet(() -> new Write.Create(key, value(next)));
        }

        private static Bytes value(long number) {
            return Bytes.ofUtf8(Long.toString(number));
        }
    }
}
