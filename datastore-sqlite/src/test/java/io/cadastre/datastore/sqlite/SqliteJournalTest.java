package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalContract;
import io.cadastre.datastore.Write;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

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

    private static void append(Journal journal, String content) {
        journal.append(
                _ -> List.of(new Journal.Draft(NOON, Bytes.ofUtf8(content), List.of(), List.of())));
    }

    private SqliteSettings settings(String name) {
        return SqliteSettings.of(directory.resolve(name));
    }
}
