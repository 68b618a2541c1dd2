package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
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
/// whose answer was lost. A conflict without one is false.
final class Load implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// What a store may say while etcd is away.
    private static final Set<Kind> EXPECTED = EnumSet.of(Kind.UNREACHABLE, Kind.DEADLINE);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Writer> writers = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean stopping;

    Load(Datastore store, int writerCount) {
        for (int index = 0; index < writerCount; index++) {
            var writer = new Writer(store, "load/" + index);
            writers.add(writer);
            running.add(threads.submit(writer::run));
        }
    }

    /// Waits until every writer was told of this many more commits that they are done.
    void awaitProgress(int commitCount) {
        var goals = writers.stream().map(writer -> writer.done.get() + commitCount).toList();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> {
                            for (int index = 0; index < writers.size(); index++) {
                                if (running.get(index).isDone()) {
                                    running.get(index).get();
                                }
                                if (writers.get(index).done.get() < goals.get(index)) {
                                    return false;
                                }
                            }
                            return true;
                        });
    }

    /// Stops, and checks that what was told is what is there.
    void stopAndCheck(Datastore store) throws Exception {
        stopping = true;
        for (var run : running) {
            run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        for (var writer : writers) {
            long found = store.get(writer.key).map(Load::count).orElse(0L);
            assertThat(found).isBetween(writer.acknowledged, writer.attempted);
            assertThat(writer.falseConflicts).isZero();
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

    private final class Writer {

        private final Datastore store;
        private final String key;
        private final AtomicInteger done = new AtomicInteger();
        private long acknowledged;
        private long attempted;
        private int falseConflicts;

        Writer(Datastore store, String key) {
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
                            known =
                                    Optional.of(
                                            new Document(
                                                    key, value(next), told.revisions().getFirst()));
                            lostAnswer = false;
                            done.incrementAndGet();
                        }
                        case Commit.Conflict _ -> {
                            falseConflicts += lostAnswer ? 0 : 1;
                            known = Optional.empty();
                        }
                        case Commit.Unknown _ -> lostAnswer = true;
                    }
                } catch (DatastoreException failed) {
                    assertThat(failed.kind()).as(failed.getMessage()).isIn(EXPECTED);
                }
            }
        }

        private Write write(Optional<Document> known, long next) {
            return known.<Write>map(
                            document -> new Write.Update(key, value(next), document.revision()))
                    .orElseGet(() -> new Write.Create(key, value(next)));
        }

        private static Bytes value(long number) {
            return Bytes.ofUtf8(Long.toString(number));
        }
    }
}
