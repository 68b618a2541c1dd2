package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A commit and what the journal tells of it are one transaction.
class SqliteRecordsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void recordsKnowTheRevisionAndTheLastRecord() {
        try (var store = open()) {
            commit(store, "a");
            commit(store, "b");

            assertThat(contents(store)).containsExactly("a at 1 after 0", "b at 2 after 1");
        }
    }

    @Test
    void conflictIsNotRecorded() {
        try (var store = open()) {
            commit(store, "a");

            var again = commit(store, "a");

            assertThat(again).isInstanceOf(Commit.Conflict.class);
            assertThat(contents(store)).containsExactly("a at 1 after 0");
        }
    }

    @Test
    void commitWhoseRecordsCannotBeTakenHasNoEffectAndTheStoreGoesOn() {
        try (var store = open()) {
            var tooLong = Bytes.of(new byte[Journal.CONTENT_BYTES_MAX + 1]);

            assertThatThrownBy(() -> store.commit(List.of(creation("a")), (_, _) -> List.of(draft(tooLong))))
                    .isInstanceOf(DatastoreException.class)
                    .hasMessageContaining("the ledger cannot take it");
            var next = commit(store, "b");

            assertThat(store.get("a")).isEmpty();
            assertThat(next).isInstanceOf(Commit.Done.class);
            assertThat(contents(store)).containsExactly("b at 1 after 0");
        }
    }

    @Test
    void recordsOfManyAtOnceAreInOneChain() throws Exception {
        int writers = 8;
        int commits = 25;
        try (var store = open();
                var threads = Executors.newFixedThreadPool(writers)) {
            threads.invokeAll(IntStream.range(0, writers)
                            .<Callable<Void>>mapToObj(writer -> () -> {
                                for (int n = 0; n < commits; n++) {
                                    commit(store, writer + "." + n);
                                }
                                return null;
                            })
                            .toList())
                    .forEach(future -> assertThat(future).isDone());

            var records = store.journal().orElseThrow().read(1, 1000);

            assertThat(records).hasSize(writers * commits);
            for (int index = 0; index < records.size(); index++) {
                assertThat(records.get(index).content().utf8()).endsWith("at %d after %d".formatted(index + 1, index));
            }
        }
    }

    @Test
    void killedProcessLeavesARecordOfEveryCommitAndNoOther() throws Exception {
        var file = directory.resolve("store.db");
        try (var child = ChildJvm.start(CrashWriter.class, file.toString(), "p", "recording")) {
            for (int acknowledged = 0; acknowledged < 40; acknowledged++) {
                child.read();
            }
            child.kill();
            child.readAll();
        }

        try (var store = SqliteDatastore.open(SqliteSettings.of(file))) {
            var committed = store.listAll("").documents().stream()
                    .map(document -> document.value().utf8())
                    .distinct()
                    .toList();
            var recorded = store.journal().orElseThrow().read(1, 1000).stream()
                    .map(record -> record.content().utf8())
                    .toList();

            assertThat(recorded).containsExactlyInAnyOrderElementsOf(committed);
        }
    }

    private SqliteDatastore open() {
        return SqliteDatastore.open(SqliteSettings.of(directory.resolve("store.db")));
    }

    private static Commit commit(SqliteDatastore store, String key) {
        return store.commit(
                List.of(creation(key)),
                (revision, last) -> List.of(draft(Bytes.ofUtf8("%s at %d after %d"
                        .formatted(
                                key, revision, last.map(Journal.Entry::number).orElse(0L))))));
    }

    private static List<String> contents(SqliteDatastore store) {
        return store.journal().orElseThrow().read(1, 1000).stream()
                .map(record -> record.content().utf8())
                .toList();
    }

    private static Write creation(String key) {
        return new Write.Create(key, Bytes.ofUtf8("1"));
    }

    private static Journal.Draft draft(Bytes content) {
        return new Journal.Draft(Instant.EPOCH, content, List.of(), List.of());
    }
}
