package io.cadastre.cli;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.Ledger;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The ledger of a data directory.
record Archive(Path file, Journal journal) implements AutoCloseable {

    /// Where a data directory has the ledger of a store that is elsewhere.
    static Path fileIn(Path dataDirectory) {
        return dataDirectory.resolve("ledger.db");
    }

    /// A directory without a ledger has an empty one; looking does not create it. The embedded store keeps
    /// its ledger itself.
    static Archive open(StoreOptions options, Surroundings surroundings) {
        var found = find(options, surroundings);
        if (found.isEmpty()) {
            surroundings.warn(
                    "there is no ledger in %s yet"
                            .formatted(options.dataDirectory(surroundings.environment())));
        }
        return found.orElseGet(() -> new Archive(file(options, surroundings), new EmptyJournal()));
    }

    /// Opens a ledger that is there to be read.
    static Optional<Archive> find(StoreOptions options, Surroundings surroundings) {
        var directory = options.dataDirectory(surroundings.environment());
        var file = file(options, surroundings);
        return SqliteJournal.openToRead(SqliteSettings.of(file), fileIn(directory))
                .map(journal -> new Archive(file, journal));
    }

    /// Opens a ledger that is there to be changed; one that is not stays absent.
    static Archive openToWrite(StoreOptions options, Surroundings surroundings) {
        var file = file(options, surroundings);
        return Files.exists(file)
                ? new Archive(file, SqliteJournal.open(SqliteSettings.of(file)))
                : open(options, surroundings);
    }

    private static Path file(StoreOptions options, Surroundings surroundings) {
        var environment = surroundings.environment();
        var directory = options.dataDirectory(environment);
        return switch (options.kind(environment)) {
            case EMBEDDED -> Office.storeIn(directory);
            case ETCD, KUBERNETES -> fileIn(directory);
        };
    }

    /// Others write to a store that is not a file of this machine, and not to this ledger.
    static Ledger.Writers writers(StoreOptions options, Surroundings surroundings) {
        return switch (options.kind(surroundings.environment())) {
            case EMBEDDED -> Ledger.Writers.ALL_RECORDED;
            case ETCD, KUBERNETES -> Ledger.Writers.OTHERS_TOO;
        };
    }

    Ledger ledger() {
        return new Ledger(journal);
    }

    @Override
    public void close() {
        journal.close();
    }
}
