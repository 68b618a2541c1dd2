package io.cadastre.cli.session;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The ledger of a data directory.
public record LedgerFile(Path file, Journal journal) implements AutoCloseable {

    /// The path of the ledger in a data directory, for a store that is elsewhere.
    public static Path fileIn(Path dataDirectory) {
        return dataDirectory.resolve("ledger.db");
    }

    /// Opens a ledger to read. A missing ledger counts as empty and is not created. The embedded store contains
    /// its ledger.
    public static LedgerFile open(StoreOptions options, CommandContext context) {
        var found = find(options, context);
        if (found.isEmpty()) {
            context.warn("there is no ledger in %s yet".formatted(options.dataDirectory(context.environment())));
        }
        return found.orElseGet(() -> new LedgerFile(file(options, context), new EmptyJournal()));
    }

    /// Opens a ledger to read, if it exists.
    public static Optional<LedgerFile> find(StoreOptions options, CommandContext context) {
        var directory = options.dataDirectory(context.environment());
        var file = file(options, context);
        return SqliteJournal.openToRead(SqliteSettings.of(file), fileIn(directory))
                .map(journal -> new LedgerFile(file, journal));
    }

    /// Opens a ledger to write, if it exists; a missing one is not created.
    public static LedgerFile openToWrite(StoreOptions options, CommandContext context) {
        var file = file(options, context);
        return Files.exists(file)
                ? new LedgerFile(file, SqliteJournal.open(SqliteSettings.of(file)))
                : open(options, context);
    }

    private static Path file(StoreOptions options, CommandContext context) {
        var environment = context.environment();
        var directory = options.dataDirectory(environment);
        return switch (options.kind(environment)) {
            case EMBEDDED -> Session.storeIn(directory);
            case ETCD, KUBERNETES -> fileIn(directory);
        };
    }

    /// Other machines write to a shared store and not to this ledger.
    public static Ledger.Writers writers(StoreOptions options, CommandContext context) {
        return switch (options.kind(context.environment())) {
            case EMBEDDED -> Ledger.Writers.ALL_RECORDED;
            case ETCD, KUBERNETES -> Ledger.Writers.OTHERS_TOO;
        };
    }

    public Ledger ledger() {
        return new Ledger(journal);
    }

    @Override
    public void close() {
        journal.close();
    }
}
