package io.cadastre.cli;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.Ledger;

import java.nio.file.Files;
import java.nio.file.Path;

/// The ledger of a data directory, opened to be read.
record Archive(Path file, Journal journal) implements AutoCloseable {

    /// Where a data directory has its ledger.
    static Path fileIn(Path dataDirectory) {
        return dataDirectory.resolve("ledger.db");
    }

    /// A directory without a ledger has an empty one; looking does not create it.
    static Archive open(StoreOptions options, Surroundings surroundings) {
        var file = fileIn(options.dataDirectory(surroundings.environment()));
        if (!Files.exists(file)) {
            surroundings.warn("there is no ledger in %s yet".formatted(file.getParent()));
            return new Archive(file, new EmptyJournal());
        }
        return new Archive(file, SqliteJournal.open(SqliteSettings.of(file)));
    }

    Ledger ledger() {
        return new Ledger(journal);
    }

    @Override
    public void close() {
        journal.close();
    }
}
