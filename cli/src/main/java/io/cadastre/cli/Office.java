package io.cadastre.cli;

import io.cadastre.agent.net.StoredPods;
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

/// What a command decides with: the store, and the ledger beside it.
///
/// @param revisionsBefore as a [LedgerOrigin] has it
record Office(Datastore datastore, Journal journal, long revisionsBefore, Surroundings surroundings)
        implements AutoCloseable {

    /// Of a ledger that goes with its store.
    Office(Datastore datastore, Journal journal, Surroundings surroundings) {
        this(datastore, journal, 0, surroundings);
    }

    /// Where a data directory has its store.
    static Path storeIn(Path dataDirectory) {
        return dataDirectory.resolve("store.db");
    }

    /// Whether anything was ever written to the store, as far as that shows without asking it.
    static boolean exists(StoreOptions options, Surroundings surroundings) {
        return switch (options.kind(surroundings.environment())) {
            case EMBEDDED ->
                    SqliteDatastore.isThere(
                            SqliteSettings.of(
                                    storeIn(options.dataDirectory(surroundings.environment()))));
            case ETCD, KUBERNETES -> true;
        };
    }

    /// Opens store and ledger to be written. The embedded store keeps the ledger itself. Elsewhere both are open before anything can be committed, so that no
    /// commit is made that could not be recorded. What exists is opened before the other is made: a ledger
    /// that is none leaves no store behind, and a store that is none or does not answer leaves no ledger.
    static Office open(StoreOptions options, Surroundings surroundings) {
        if (options.kind(surroundings.environment()) == StoreOptions.Kind.EMBEDDED) {
            var datastore = store(options, surroundings);
            return new Office(datastore, datastore.journal().orElseThrow(), surroundings);
        }
        var ledger = Archive.fileIn(options.dataDirectory(surroundings.environment()));
        var office = openElsewhere(ledger, options, surroundings);
        try {
            long before =
                    fetchIdentity(office.datastore(), options, surroundings)
                            .map(present -> LedgerOrigin.require(ledger, office.journal(), present))
                            .orElseGet(() -> uncompared(ledger, office));
            return new Office(office.datastore(), office.journal(), before, surroundings);
        } catch (RuntimeException refused) {
            office.close();
            throw refused;
        }
    }

    private static long uncompared(Path ledger, Office office) {
        office.surroundings()
                .warn(
                        "the ledger %s was not compared with the store, so one that was put back from a backup is not noticed: %s"
                                .formatted(
                                        ledger,
                                        office.datastore() instanceof EtcdDatastore
                                                ? "etcd told this user nothing; let it read "
                                                        + CalicoKeys.CONFIG
                                                : "this user may not list the namespace"
                                                        + " kube-system, or there is none; let it,"
                                                        + " as deploy/rbac.yaml does"));
        return LedgerOrigin.revisionsBefore(ledger);
    }

    /// Opens a store that is not a file, and the ledger of what this machine decides on it, without comparing
    /// the two.
    static Office openElsewhere(Path ledger, StoreOptions options, Surroundings surroundings) {
        return Files.exists(ledger)
                ? openLedgerFirst(ledger, options, surroundings)
                : openStoreFirst(ledger, options, surroundings);
    }

    /// Which store it is that is not a file; empty if this user may read too little to tell.
    static Optional<StoreIdentity> fetchIdentity(
            Datastore store, StoreOptions options, Surroundings surroundings) {
        return store instanceof EtcdDatastore etcd
                ? etcd.identity()
                : Cluster.fetchIdentity(options, surroundings);
    }

    /// The history of what is decided here.
    Ledger ledger() {
        return new Ledger(journal, revisionsBefore);
    }

    /// What the store knows of pods, namespaces and nodes.
    StoredPods pods() {
        return datastore instanceof EtcdDatastore
                ? StoredPods.asFarAsReadable(datastore)
                : new StoredPods(datastore);
    }

    private static Office openLedgerFirst(
            Path ledger, StoreOptions options, Surroundings surroundings) {
        var journal = SqliteJournal.open(SqliteSettings.of(ledger));
        try {
            return new Office(store(options, surroundings), journal, surroundings);
        } catch (RuntimeException failed) {
            journal.close();
            throw failed;
        }
    }

    private static Office openStoreFirst(
            Path ledger, StoreOptions options, Surroundings surroundings) {
        var datastore = store(options, surroundings);
        try {
            return new Office(
                    datastore, SqliteJournal.open(SqliteSettings.of(ledger)), surroundings);
        } catch (RuntimeException failed) {
            datastore.close();
            throw failed;
        }
    }

    /// Opens the store to be looked at. Nothing is created: a store that does not exist is an empty one.
    static Office openToLook(StoreOptions options, Surroundings surroundings) {
        var datastore =
                switch (options.kind(surroundings.environment())) {
                    case EMBEDDED ->
                            existing(
                                    options.dataDirectory(surroundings.environment()),
                                    surroundings);
                    case ETCD -> etcd(options, surroundings);
                    case KUBERNETES -> Cluster.open(options, surroundings);
                };
        return new Office(datastore, new EmptyJournal(), surroundings);
    }

    /// Opens the store to be looked at by a command that tells what another would decide. A store with which
    /// that one would not begin is refused here too.
    static Office openToExplain(StoreOptions options, Surroundings surroundings) {
        var office = openToLook(options, surroundings);
        try {
            if (options.kind(surroundings.environment()) != StoreOptions.Kind.EMBEDDED) {
                fetchIdentity(office.datastore(), options, surroundings)
                        .ifPresent(present -> compare(present, options, surroundings));
            }
            return office;
        } catch (RuntimeException refused) {
            office.close();
            throw refused;
        }
    }

    private static void compare(
            StoreIdentity present, StoreOptions options, Surroundings surroundings) {
        try (var journal =
                Archive.find(options, surroundings)
                        .map(Archive::journal)
                        .orElseGet(EmptyJournal::new)) {
            var directory = options.dataDirectory(surroundings.environment());
            LedgerOrigin.check(Archive.fileIn(directory), journal, present);
        }
    }

    <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return new Registrar<>(
                new SurveyedBook<>(book, datastore, surroundings.clock()),
                ledger(),
                Registrar.Limits.DEFAULT,
                surroundings.clock(),
                surroundings.dice(),
                surroundings.pause());
    }

    /// The store first: while it is open something may yet be committed, which the ledger must record.
    /// Nobody may be waiting for a decision any more.
    @Override
    public void close() {
        try (journal) {
            datastore.close();
        }
    }

    private static Datastore store(StoreOptions options, Surroundings surroundings) {
        var environment = surroundings.environment();
        return switch (options.kind(environment)) {
            case EMBEDDED -> embedded(options.dataDirectory(environment));
            case ETCD -> etcd(options, surroundings);
            case KUBERNETES -> Cluster.open(options, surroundings);
        };
    }

    private static Datastore embedded(Path dataDirectory) {
        return SqliteDatastore.open(
                SqliteSettings.of(storeIn(dataDirectory)), formerJournal(dataDirectory));
    }

    /// A ledger in a file of its own was written by a version before.
    static FormerJournal formerJournal(Path dataDirectory) {
        return new FormerJournal(
                Archive.fileIn(dataDirectory), journal -> new Ledger(journal).newestRevision());
    }

    private static Datastore existing(Path dataDirectory, Surroundings surroundings) {
        var found = SqliteDatastore.openToRead(SqliteSettings.of(storeIn(dataDirectory)));
        if (found.isPresent()) {
            return found.get();
        }
        surroundings.complain(
                "no store in %s yet; it is made by the first command that writes"
                        .formatted(dataDirectory));
        return new MemoryDatastore();
    }

    private static Datastore etcd(StoreOptions options, Surroundings surroundings) {
        EtcdSettings settings;
        try {
            settings = EtcdSettings.fromEnvironment(options.settings(surroundings.environment()));
        } catch (IllegalArgumentException contradictory) {
            throw new UsageException(String.valueOf(contradictory.getMessage()));
        }
        var datastore = EtcdDatastore.open(settings);
        try (var _ = Progress.show(surroundings, () -> "waiting for etcd")) {
            datastore.connect(options.connectLimit());
            askForAnything(datastore);
            return datastore;
        } catch (RuntimeException unreachable) {
            datastore.close();
            throw unreachable;
        }
    }

    /// Whether etcd answers is to be known before a command begins. A user who may not read this key is
    /// answered too; what the command needs, and whether the user may have it, shows when it asks.
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
