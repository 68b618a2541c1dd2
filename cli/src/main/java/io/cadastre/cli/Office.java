package io.cadastre.cli;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdSettings;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Change;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;

import java.nio.file.Files;
import java.nio.file.Path;

/// What a command decides with: the store, and the ledger beside it.
record Office(Datastore datastore, Journal journal, Surroundings surroundings)
        implements AutoCloseable {

    /// Where a data directory has its store.
    static Path storeIn(Path dataDirectory) {
        return dataDirectory.resolve("store.db");
    }

    /// Whether anything was ever written to the store, as far as that shows without asking it.
    static boolean exists(StoreOptions options, Surroundings surroundings) {
        return switch (options.kind(surroundings.environment())) {
            case EMBEDDED ->
                    Files.exists(storeIn(options.dataDirectory(surroundings.environment())));
            case ETCD, KUBERNETES -> true;
        };
    }

    /// Opens store and ledger to be written. Both are open before anything can be committed, so that no
    /// commit is made that could not be recorded. What exists is opened before the other is made: a ledger
    /// that is none leaves no store behind, and a store that is none or does not answer leaves no ledger.
    static Office open(StoreOptions options, Surroundings surroundings) {
        var ledger = Archive.fileIn(options.dataDirectory(surroundings.environment()));
        return Files.exists(ledger)
                ? openLedgerFirst(ledger, options, surroundings)
                : openStoreFirst(ledger, options, surroundings);
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
                            existing(storeIn(options.dataDirectory(surroundings.environment())));
                    case ETCD -> etcd(options, surroundings);
                    case KUBERNETES -> Cluster.open(options, surroundings);
                };
        return new Office(datastore, new EmptyJournal(), surroundings);
    }

    <V, C extends Change> Registrar<V, C> registrar(Book<V, C> book) {
        return new Registrar<>(
                book,
                new Ledger(journal),
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
            case EMBEDDED ->
                    SqliteDatastore.open(
                            SqliteSettings.of(storeIn(options.dataDirectory(environment))));
            case ETCD -> etcd(options, surroundings);
            case KUBERNETES -> Cluster.open(options, surroundings);
        };
    }

    private static Datastore existing(Path store) {
        return Files.exists(store)
                ? SqliteDatastore.open(SqliteSettings.of(store))
                : new MemoryDatastore();
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
            // The connection is made when it is first used; whether it can be made is to be known
            // now.
            datastore.get("/cadastre/is-anyone-there");
            return datastore;
        } catch (RuntimeException unreachable) {
            datastore.close();
            throw unreachable;
        }
    }
}
