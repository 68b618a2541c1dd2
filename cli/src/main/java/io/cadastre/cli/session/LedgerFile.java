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

    /// Where a data directory has the ledger of a store that is elsewhere.
    public static Path fileIn(Path dataDirectory) {
        return dataDirectory.resolve("ledger.db");
    }

    /// A directory without a ledger has an empty one; looking does not create it. The embedded store keeps
    /// its ledger itself.
    public static LedgerFile open(StoreOptions options, CommandContext context) {
        var found = find(options, context);
        if (found.isEmpty()) {
            context.warn("there is no ledger in %s yet".formatted(options.dataDirectory(context.environment())));
        }
        return found.orElseGet(() -> new LedgerFile(file(options, context), new EmptyJournal()));
    }

    /// Opens a ledger that is there to be read.
    public static Optional<LedgerFile> find(StoreOptions options, CommandContext context) {
        var directory = options.dataDirectory(context.environment());
        var file = file(options, context);
        return SqliteJournal.openToRead(SqliteSettings.of(file), fileIn(directory))
                .map(journal -> new LedgerFile(file, journal));
    }

    /// Opens a ledger that is there to be changed; one that is not stays absent.
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

    /// Others write to a store that is not a file of this machine, and not to this ledger.
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
