package io.cadastre.cli;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.datastore.sqlite.MissingRecords;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.survey.StoreRanges;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

@Command(
        name = "adopt",
        description = {
            "Go on with a store that has forgotten who holds what: one put back from a backup,"
                    + " damaged, emptied or made anew.",
            "What the store takes for free and others know to be held is given to its holders:"
                + " addresses of Calico's and Spiderpool's pools, and node CIDRs. Asked are the"
                + " ledger in the data directory, other ledgers that are named, containers of this"
                + " node in the cache of CNI results, and running pods, if KUBECONFIG names a"
                + " cluster. What has another holder by then is named and stays as it is, and the"
                + " exit code is 3. If something can be given to no one, such as an address without"
                + " a pool, or if ledger entries are missing that once were written, the store is"
                + " not accepted yet.",
            "Stop the agent first. An adoption that was interrupted is run again."
        },
        footer = {
            "Examples:",
            "  cadastre ipam adopt --dry-run --ledger /var/lib/cadastre/store.db.damaged",
            "  cadastre ipam adopt --ledger /var/lib/cadastre/store.db.damaged",
            "  cadastre ipam adopt --datastore etcdv3 -f pools.yaml"
        })
final class IpamAdopt implements Callable<Integer> {

    /// Where documents of all dialects are.
    private static final List<String> PREFIXES = List.of("/calico/", "/cadastre/");

    @Option(names = "--dry-run", description = "Show what would be done, and do nothing.")
    private boolean dryRun;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description =
                    "A ledger that knows more: the store.db that was replaced, or a ledger.db of an"
                            + " older version or another machine. May be repeated.")
    private List<String> ledgers = new ArrayList<>();

    @Option(
            names = "--accept-missing",
            description =
                    "Go on although ledger entries are lost: what they told and no other witness"
                            + " tells is given again.")
    private boolean acceptMissing;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "Resources to apply first, as 'cadastre apply' does: the pools and nodes of a"
                            + " store that has none. May be repeated.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--cni-cache-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni/results",
            description = "Where the results of CNI calls are; default ${DEFAULT-VALUE}.")
    private String cache = "";

    @Mixin private final NodeOption node = new NodeOption();
    @Mixin private final CalicoOptions options = new CalicoOptions();

    private final Surroundings surroundings;

    IpamAdopt(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /// A store that is to be adopted, and how that is written down.
    private record Orphan(Office office, Runnable acceptance) implements AutoCloseable {

        @Override
        public void close() {
            office.close();
        }
    }

    @Override
    public Integer call() {
        try (var orphan = open();
                var rehearsed = dryRun ? copy(orphan.office()) : orphan.office()) {
            var desk = IpamDesk.at(rehearsed);
            var claims = claims(orphan.office());
            var missing = findMissing();
            boolean applied =
                    new ManifestRun(ManifestRun.Verb.APPLY, options, surroundings).run(files, desk)
                            == ExitCode.DONE;
            var adoption = new Adoption(desk, surroundings);
            adoption.adopt(claims);
            var ranges = StoreRanges.fetch(rehearsed.datastore());
            adoption.adopt(
                    new CniCache(Path.of(cache), node.name(), ranges, surroundings).claims());
            adoption.adopt(podsIn(ranges.calico()));
            surroundings
                    .out()
                    .printf(
                            "%s %s given to their holders%n",
                            adoption.words(), dryRun ? "would be" : "were");
            if (!applied) {
                throw notAccepted("the resources were not applied");
            }
            if (adoption.failures() > 0) {
                throw notAccepted(
                        "what could not be given would be free. Say its pools and nodes with -f,"
                                + " and adopt again");
            }
            if (missing.isPresent() && !acceptMissing) {
                throw notAccepted(
                        missing.get().sentence()
                                + ". Addresses that were given then may be in use, and would be"
                                + " given again. Name the ledger that has them with --ledger; if"
                                + " there is none, see that the caches of CNI results and the"
                                + " running pods tell of every holder (--cni-cache-dir,"
                                + " KUBECONFIG), and adopt again with --accept-missing");
            }
            return accept(orphan, adoption);
        }
    }

    private static RefusedException notAccepted(String why) {
        return new RefusedException("the store is not accepted: " + why);
    }

    /// Asked before anything is given, since that makes ledger entries in the places of those that are missing.
    private Optional<MissingRecords> findMissing() {
        var directory = options.store().dataDirectory(surroundings.environment());
        var ledger = Archive.fileIn(directory);
        return SqliteDatastore.findMissing(
                SqliteSettings.of(isEmbedded() ? Office.storeIn(directory) : ledger),
                Stream.concat(Stream.of(ledger), ledgers.stream().map(IpamAdopt::path)).toList(),
                journal -> new Ledger(journal).newestRevision());
    }

    private static Path path(String ledger) {
        return Path.of(ledger).toAbsolutePath().normalize();
    }

    private int accept(Orphan orphan, Adoption adoption) {
        if (!dryRun) {
            if (isEmbedded()) {
                adoption.settle();
            }
            orphan.acceptance().run();
        }
        if (adoption.conflicts() > 0) {
            throw new RefusedException(
                    "%d claims contradict what is held, and were left alone; see which pod has the"
                                    .formatted(adoption.conflicts())
                            + " address, and delete the other one");
        }
        return ExitCode.DONE;
    }

    private Orphan open() {
        var directory = options.store().dataDirectory(surroundings.environment());
        if (isEmbedded()) {
            return dryRun ? embeddedToLook(directory) : embedded(directory);
        }
        return dryRun ? elsewhereToLook(directory) : elsewhere(directory);
    }

    private boolean isEmbedded() {
        return options.store().kind(surroundings.environment()) == StoreOptions.Kind.EMBEDDED;
    }

    private Orphan elsewhere(Path directory) {
        var ledger = Archive.fileIn(directory);
        var settings = SqliteSettings.of(ledger);
        var store = Office.openToLook(options.store(), surroundings).datastore();
        try {
            var identity = identity(store);
            var journal = SqliteJournal.openToAdopt(settings);
            long before = LedgerOrigin.revisionsBefore(ledger, journal, identity);
            return new Orphan(
                    new Office(store, journal, before, surroundings),
                    () -> {
                        SqliteDatastore.accept(settings);
                        LedgerOrigin.accept(ledger, identity(store), before);
                    });
        } catch (RuntimeException failed) {
            store.close();
            throw failed;
        }
    }

    private StoreIdentity identity(Datastore store) {
        return Office.fetchIdentity(store, options.store(), surroundings)
                .orElseThrow(
                        () ->
                                new RefusedException(
                                        "this user may not read which store it is; use one who"
                                                + " may"));
    }

    private Orphan elsewhereToLook(Path directory) {
        var journal =
                SqliteJournal.lookToAdopt(SqliteSettings.of(Archive.fileIn(directory)))
                        .<Journal>map(found -> found)
                        .orElseGet(EmptyJournal::new);
        try {
            var store = Office.openToLook(options.store(), surroundings).datastore();
            return new Orphan(new Office(store, journal, surroundings), () -> {});
        } catch (RuntimeException failed) {
            journal.close();
            throw failed;
        }
    }

    private Orphan embedded(Path directory) {
        var settings = SqliteSettings.of(Office.storeIn(directory));
        var former = Office.formerJournal(directory);
        var store = SqliteDatastore.openToAdopt(settings, former);
        return new Orphan(
                new Office(store, store.journal().orElseThrow(), surroundings),
                () -> SqliteDatastore.accept(settings, former));
    }

    private Orphan embeddedToLook(Path directory) {
        var settings = SqliteSettings.of(Office.storeIn(directory));
        return new Orphan(
                new Office(
                        SqliteDatastore.lookToAdopt(settings)
                                .<Datastore>map(found -> found)
                                .orElseGet(MemoryDatastore::new),
                        SqliteJournal.lookToAdopt(settings, Archive.fileIn(directory))
                                .<Journal>map(found -> found)
                                .orElseGet(EmptyJournal::new),
                        surroundings),
                () -> {});
    }

    /// The same documents in memory, so that what is tried there is what would be done.
    private Office copy(Office office) {
        var copy = new MemoryDatastore();
        for (var prefix : prefixes()) {
            try {
                office.datastore().scan(prefix, page -> page.forEach(each -> put(copy, each)));
            } catch (DatastoreException failed) {
                if (failed.kind() != DatastoreException.Kind.DENIED) {
                    throw failed;
                }
            }
        }
        return new Office(copy, new MemoryJournal(), surroundings);
    }

    private static void put(Datastore copy, Document document) {
        copy.commit(List.of(new Write.Create(document.key(), document.value())));
    }

    /// In a cluster, what is not Calico's is not for Cadastre to give.
    private List<String> prefixes() {
        boolean cluster =
                options.store().kind(surroundings.environment()) == StoreOptions.Kind.KUBERNETES;
        return cluster ? PREFIXES.subList(0, 1) : PREFIXES;
    }

    private List<HolderClaim> claims(Office own) {
        var claims =
                new ArrayList<>(
                        HolderClaim.ofLedger(
                                new Ledger(own.journal()), node.name(), "the own ledger"));
        for (var ledger : ledgers) {
            claims.addAll(ofLedger(path(ledger)));
        }
        return claims;
    }

    private List<HolderClaim> ofLedger(Path file) {
        try (var journal =
                SqliteJournal.openToRead(SqliteSettings.of(file))
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                "there is no ledger %s".formatted(file)))) {
            return HolderClaim.ofLedger(new Ledger(journal), node.name(), file.toString());
        }
    }

    /// Running pods with addresses of these pools.
    private List<HolderClaim> podsIn(List<Holding> pools) {
        try (var pods =
                Cluster.findPods(options.store(), surroundings).orElseGet(MemoryDatastore::new)) {
            return HolderClaim.ofPods(pods).stream()
                    .filter(
                            claim ->
                                    pools.stream()
                                            .anyMatch(
                                                    pool ->
                                                            pool.range()
                                                                    .contains(
                                                                            claim.range().first())))
                    .toList();
        }
    }
}
