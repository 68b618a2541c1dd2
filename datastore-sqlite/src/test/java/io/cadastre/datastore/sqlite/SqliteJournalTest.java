package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalContract;
import io.cadastre.datastore.Write;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteJournalTest extends JournalContract {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Override
    protected Journal open() {
        return SqliteJournal.open(settings("journal.db"));
    }

    @Test
    void recordsAreThereWhenTheJournalIsOpenedAgain() {
        var settings = settings("again.db");
        try (var journal = SqliteJournal.open(settings)) {
            append(journal, "one");
        }

        try (var journal = SqliteJournal.open(settings)) {
            append(journal, "two");

            assertThat(journal.read(1, 10))
                    .containsExactly(
                            new Journal.Entry(1, NOON, Bytes.ofUtf8("one")),
                            new Journal.Entry(2, NOON, Bytes.ofUtf8("two")));
        }
    }

    @Test
    void journalSharesTheFileOfAStore() {
        var settings = settings("shared.db");
        try (var store = SqliteDatastore.open(settings);
                var journal = SqliteJournal.open(settings)) {
            store.commit(List.of(new Write.Create("a", Bytes.ofUtf8("1"))));
            append(journal, "one");
            store.commit(List.of(new Write.Create("b", Bytes.ofUtf8("1"))));

            assertThat(journal.read(1, 10)).hasSize(1);
            assertThat(store.list("", 10).documents()).hasSize(2);
        }
    }

    @Test
    void appendInterruptedBeforeItsTurnLeavesNothing() throws Exception {
        var settings = settings("interrupted.db");
        DatastoreException refusal;
        try (var journal = SqliteJournal.open(settings);
                var slow = SlowAppend.begin(journal, "one")) {
            Thread.currentThread().interrupt();

            refusal = catchThrowableOfType(DatastoreException.class, () -> append(journal, "withdrawn"));

            assertThat(Thread.interrupted()).isTrue();
            slow.finish();
        }

        assertThat(refusal.kind()).isEqualTo(Kind.FAILED);
        assertThat(refusal).hasMessageContaining("was not begun and has no effect");
        assertThat(contents(settings)).containsExactly("one");
    }

    @Test
    void appendThatWaitsLongerThanItMayLeavesNothing() throws Exception {
        var settings = settings("late.db");
        DatastoreException refusal;
        try (var journal = SqliteJournal.open(settings.withCallLimit(Duration.ofMillis(500)));
                var slow = SlowAppend.begin(journal, "one")) {
            refusal = catchThrowableOfType(DatastoreException.class, () -> append(journal, "withdrawn"));

            slow.finish();
        }

        assertThat(refusal.kind()).isEqualTo(Kind.DEADLINE);
        assertThat(refusal).hasMessageContaining("was not begun and has no effect");
        await().untilAsserted(() -> assertThat(contents(settings)).containsExactly("one"));
    }

    @Test
    void appendWaitsForAnotherProcessAndThenGivesUp() throws Exception {
        var settings = settings("held.db");
        try (var journal = SqliteJournal.open(settings.withCallLimit(Duration.ofMillis(200)));
                var other = SqliteJournal.open(settings);
                var slow = SlowAppend.begin(other, "one")) {
            var refusal = catchThrowableOfType(DatastoreException.class, () -> append(journal, "refused"));
            slow.finish();

            assertThat(refusal.kind()).isEqualTo(Kind.DEADLINE);
            assertThat(refusal).hasMessageContaining("was locked by another process for too long");
        }

        assertThat(contents(settings)).containsExactly("one");
    }

    @Test
    void appendGoesOnOnceAnotherProcessIsDone() throws Exception {
        var settings = settings("patient.db");
        try (var journal = SqliteJournal.open(settings);
                var other = SqliteJournal.open(settings);
                var slow = SlowAppend.begin(other, "one")) {
            var waiting = CompletableFuture.runAsync(() -> append(journal, "two"), Thread::startVirtualThread);
            slow.finish();
            waiting.join();
        }

        assertThat(contents(settings)).containsExactly("one", "two");
    }

    /// An append that keeps its turn until the test lets it finish.
    private record SlowAppend(CountDownLatch mayFinish, CompletableFuture<Void> ended) implements AutoCloseable {

        static SlowAppend begin(Journal journal, String content) throws InterruptedException {
            var begun = new CountDownLatch(1);
            var mayFinish = new CountDownLatch(1);
            var ended = CompletableFuture.runAsync(
                    () -> journal.append(_ -> {
                        begun.countDown();
                        awaitLatch(mayFinish);
                        return List.of(draft(content));
                    }),
                    Thread::startVirtualThread);
            begun.await();
            return new SlowAppend(mayFinish, ended);
        }

        void finish() {
            mayFinish.countDown();
        }

        @Override
        public void close() {
            finish();
            ended.handle((_, _) -> true).join();
        }

        private static void awaitLatch(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    private static List<String> contents(SqliteSettings settings) {
        try (var journal = SqliteJournal.open(settings)) {
            return journal.read(1, 10).stream()
                    .map(entry -> entry.content().utf8())
                    .toList();
        }
    }

    private static Journal.Draft draft(String content) {
        return new Journal.Draft(NOON, Bytes.ofUtf8(content), List.of(), List.of());
    }

    private static void append(Journal journal, String content) {
        journal.append(_ -> List.of(draft(content)));
    }

    private SqliteSettings settings(String name) {
        return SqliteSettings.of(directory.resolve(name));
    }
}
