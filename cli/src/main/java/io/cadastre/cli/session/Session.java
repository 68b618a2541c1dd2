package io.cadastre.cli.session;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.command.UsageException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdSettings;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.sqlite.FormerJournal;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.survey.SurveyedBook;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An open store with its ledger, for one command.
///
/// @param revisionsBefore as a [LedgerOrigin] has it
public record Session(Datastore datastore, Journal journal, long revisionsBefore, CommandContext context)
        implements AutoCloseable {

    /// A session whose ledger counts revisions as its store does.
    public Session(Datastore datastore, Journal journal, CommandContext context) {
        this(datastore, journal, 0, context);
    }

    /// The path of the store in a data directory.
    public static Path storeIn(Path dataDirectory) {
        return dataDirectory.resolve("store.db");
    }

    /// Whether the store exists, as far as that shows without connecting to it.
    public static boolean exists(StoreOptions options, CommandContext context) {
        return switch (options.kind(context.environment())) {
            case EMBEDDED ->
                SqliteDatastore.isThere(SqliteSettings.of(storeIn(options.dataDirectory(context.environment()))));
            case ETCD, KUBERNETES -> true;
        };
    }

    /// Opens store and ledger to write. The embedded store contains its ledger. With other stores, both are open
    /// before the first commit, so that every commit can be recorded. The one that exists is opened before the
    /// other is created: an invalid ledger leaves no store behind, and a store that is invalid or does not
    /// answer leaves no ledger.
    public static Session open(StoreOptions options, CommandContext context) {
        if (options.kind(context.environment()) == StoreOptions.Kind.EMBEDDED) {
            var datastore = store(options, context);
            return new Session(datastore, datastore.journal().orElseThrow(), context);
        }
        var ledger = LedgerFile.fileIn(options.dataDirectory(context.environment()));
        var session = openElsewhere(ledger, options, context);
        try {
            long before = fetchIdentity(session.datastore(), options, context)
                    .map(present -> LedgerOrigin.require(ledger, session.journal(), present))
                    .orElseGet(() -> uncompared(ledger, session));
            return new Session(session.datastore(), session.journal(), before, context);
        } catch (RuntimeException refused) {
            session.close();
            throw refused;
        }
    }

    private static long uncompared(Path ledger, Session session) {
        session.context()
                .warn(("the ledger %s was not compared with the store, so a store restored from a"
                                + " backup is not noticed: %s")
                        .formatted(
                                ledger,
                                session.datastore() instanceof EtcdDatastore
                                        ? "etcd denied this user access; grant it read access to " + CalicoKeys.CONFIG
                                        : "this user may not list the namespace kube-system,"
                                                + " or it does not exist; grant the right, as"
                                                + " deploy/rbac.yaml does"));
        return LedgerOrigin.revisionsBefore(ledger);
    }

    /// Opens a store that is not a file, and the ledger of what this machine decides on it, without comparing
    /// the two.
    static Session openElsewhere(Path ledger, StoreOptions options, CommandContext context) {
        return Files.exists(ledger)
                ? openLedgerFirst(ledger, options, context)
                : openStoreFirst(ledger, options, context);
    }

    /// The identity of a store that is not a file; empty if this user lacks the rights to read it.
    public static Optional<StoreIdentity> fetchIdentity(Datastore store, StoreOptions options, CommandContext context) {
        return store instanceof EtcdDatastore etcd ? etcd.identity() : Cluster.fetchIdentity(options, context);
    }

    /// The ledger of decisions in this session.
    public Ledger ledger() {
        return new Ledger(journal, revisionsBefore);
    }

    /// What the store knows of pods, namespaces and nodes.
    public StoredPods pods() {
        return datastore instanceof EtcdDatastore ? StoredPods.asFarAsReadable(datastore) : new StoredPods(datastore);
    }

    private static Session openLedgerFirst(Path ledger, StoreOptions options, CommandContext context) {
        var journal = SqliteJournal.open(SqliteSettings.of(ledger));
        try {
            return new Session(store(options, context), journal, context);
        } catch (RuntimeException failed) {
            journal.close();
            throw failed;
        }
    }

    private static Session openStoreFirst(Path ledger, StoreOptions options, CommandContext context) {
        var datastore = store(options, context);
        try {
            return new Session(datastore, SqliteJournal.open(SqliteSettings.of(ledger)), context);
        } catch (RuntimeException failed) {
            datastore.close();
            throw failed;
        }
    }

    /// Opens the store to read. Nothing is created: a missing store counts as empty.
    public static Session openToLook(StoreOptions options, CommandContext context) {
        var datastore =
                switch (options.kind(context.environment())) {
                    case EMBEDDED -> existing(options.dataDirectory(context.environment()), context);
                    case ETCD -> etcd(options, context);
                    case KUBERNETES -> Cluster.open(options, context);
                };
        return new Session(datastore, new EmptyJournal(), context);
    }

    /// Opens the store to read, for a command that explains what another would decide. A store that the other
    /// command refuses is refused here too.
    public static Session openToExplain(StoreOptions options, CommandContext context) {
        var session = openToLook(options, context);
        try {
            if (options.kind(context.environment()) != StoreOptions.Kind.EMBEDDED) {
                fetchIdentity(session.datastore(), options, context)
                        .ifPresent(present -> compare(present, options, context));
            }
            return session;
        } catch (RuntimeException refused) {
            session.close();
            throw refused;
        }
    }

    private static void compare(StoreIdentity present, StoreOptions options, CommandContext context) {
        try (var journal =
                LedgerFile.find(options, context).map(LedgerFile::journal).orElseGet(EmptyJournal::new)) {
            var directory = options.dataDirectory(context.environment());
            LedgerOrigin.check(LedgerFile.fileIn(directory), journal, present);
        }
    }

    public <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return new Registrar<>(
                new SurveyedBook<>(book, datastore, context.clock()),
                ledger(),
                Registrar.Limits.DEFAULT,
                context.clock(),
                context.dice(),
                context.pause());
    }

    /// Closes the store first: while it is open, a commit may still happen, and the ledger must record it. No
    /// thread may be waiting for a decision.
    @Override
    public void close() {
        try (journal) {
            datastore.close();
        }
    }

    private static Datastore store(StoreOptions options, CommandContext context) {
        var environment = context.environment();
        return switch (options.kind(environment)) {
            case EMBEDDED -> embedded(options.dataDirectory(environment));
            case ETCD -> etcd(options, context);
            case KUBERNETES -> Cluster.open(options, context);
        };
    }

    private static Datastore embedded(Path dataDirectory) {
        return SqliteDatastore.open(SqliteSettings.of(storeIn(dataDirectory)), formerJournal(dataDirectory));
    }

    /// The separate ledger file of an earlier version.
    public static FormerJournal formerJournal(Path dataDirectory) {
        return new FormerJournal(LedgerFile.fileIn(dataDirectory), journal -> new Ledger(journal).newestRevision());
    }

    private static Datastore existing(Path dataDirectory, CommandContext context) {
        var found = SqliteDatastore.openToRead(SqliteSettings.of(storeIn(dataDirectory)));
        if (found.isPresent()) {
            return found.get();
        }
        context.complain("no store in %s yet; the first command that writes creates it".formatted(dataDirectory));
        return new MemoryDatastore();
    }

    private static Datastore etcd(StoreOptions options, CommandContext context) {
        EtcdSettings settings;
        try {
            settings = EtcdSettings.fromEnvironment(options.settings(context.environment()));
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
        var datastore = EtcdDatastore.open(settings);
        try (var _ = Progress.show(context, () -> "waiting for etcd")) {
            datastore.connect(options.connectLimit());
            askForAnything(datastore);
            return datastore;
        } catch (RuntimeException unreachable) {
            datastore.close();
            throw unreachable;
        }
    }

    /// Checks that etcd answers before a command begins. An answer that denies access is an answer too; the
    /// rights that the command needs are checked when it reads.
    private static void askForAnything(Datastore etcd) {
        try {
            etcd.get(CalicoKeys.CONFIG);
        } catch (DatastoreException failed) {
            if (failed.kind() != DatastoreException.Kind.DENIED) {
                throw failed;
            }
        }
    }
}
