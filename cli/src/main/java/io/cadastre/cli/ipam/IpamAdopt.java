package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.NodeOption;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.resource.ManifestRun;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.Cluster;
import io.cadastre.cli.session.EmptyJournal;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.LedgerOrigin;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "adopt",
        description = {
            "Recover a store that lost track of holders: one restored from a backup, damaged, emptied"
                    + " or recreated.",
            "Finds addresses of Calico's and Spiderpool's pools, and node CIDRs, that the store"
                    + " considers free but another source records as held, and assigns them to their"
                    + " holders. The sources are the ledger in the data directory, ledgers given with"
                    + " --ledger, the containers of this node in the CNI result cache, and running"
                    + " pods if KUBECONFIG names a cluster. An address that has another holder by"
                    + " then is reported and left unchanged, and the exit code is 3. If something"
                    + " cannot be assigned, such as an address without a pool, or if ledger entries"
                    + " are missing, the store is not accepted yet.",
            "Stop the agent first. If an adoption is interrupted, run it again."
        },
        footer = {
            "Examples:",
            "  cadastre ipam adopt --dry-run --ledger /var/lib/cadastre/store.db.damaged",
            "  cadastre ipam adopt --ledger /var/lib/cadastre/store.db.damaged",
            "  cadastre ipam adopt --datastore etcdv3 -f pools.yaml"
        })
final class IpamAdopt implements Callable<Integer> {

    /// The key prefixes of the documents of all dialects.
    private static final List<String> PREFIXES = List.of("/calico/", "/cadastre/");

    @Option(names = "--dry-run", description = "Show what would be done, without changing anything.")
    private boolean dryRun;

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "Another ledger to read: the store.db that was replaced, or a ledger.db of"
                    + " an older version or another machine. May be repeated.")
    private List<String> ledgers = new ArrayList<>();

    @Option(
            names = "--accept-missing",
            description = "Accept that ledger entries are lost: addresses that no other source records become free.")
    private boolean acceptMissing;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "Resources to apply first, as 'cadastre apply' does: the pools and nodes of a"
                    + " store that has none. May be repeated.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--cni-cache-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni/results",
            description = "Directory of cached CNI results; default ${DEFAULT-VALUE}.")
    private String cache = "";

    @Mixin
    private final NodeOption node = new NodeOption();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    private final CommandContext context;

    IpamAdopt(CommandContext context) {
        this.context = context;
    }

    /// A store to adopt, and how the adoption is recorded.
    private record Orphan(Session session, Runnable acceptance) implements AutoCloseable {

        @Override
        public void close() {
            session.close();
        }
    }

    @Override
    public Integer call() {
        try (var orphan = open();
                var rehearsed = dryRun ? copy(orphan.session()) : orphan.session()) {
            var ipam = CalicoSession.at(rehearsed);
            var claims = claims(orphan.session());
            var missing = findMissing();
            boolean applied =
                    new ManifestRun(ManifestRun.Verb.APPLY, options, context).run(files, ipam) == ExitCode.DONE;
            var adoption = new Adoption(ipam, context);
            adoption.adopt(claims);
            var ranges = StoreRanges.fetch(rehearsed.datastore());
            adoption.adopt(new CniCache(Path.of(cache), node.name(), ranges, context).claims());
            adoption.adopt(podsIn(ranges.calico()));
            context.out().printf("%s %s given to their holders%n", adoption.words(), dryRun ? "would be" : "were");
            if (!applied) {
                throw notAccepted("the resources were not applied");
            }
            if (adoption.failures() > 0) {
                throw notAccepted("addresses that could not be assigned would be free. Give their pools and"
                        + " nodes with -f, and adopt again");
            }
            if (missing.isPresent() && !acceptMissing) {
                throw notAccepted(missing.get().sentence()
                        + ". Addresses assigned then may be in use, and would be assigned again. Give"
                        + " the ledger that has these entries with --ledger; if it is lost,"
                        + " make sure that the CNI result caches and the running pods cover"
                        + " every holder (--cni-cache-dir, KUBECONFIG), and adopt again with"
                        + " --accept-missing");
            }
            return accept(orphan, adoption);
        }
    }

    private static CommandRefusedException notAccepted(String why) {
        return new CommandRefusedException("the store is not accepted: " + why);
    }

    /// Checked before anything is assigned, since assigning makes ledger entries in the places of those that are
    /// missing.
    private Optional<MissingRecords> findMissing() {
        var directory = options.store().dataDirectory(context.environment());
        var ledger = LedgerFile.fileIn(directory);
        return SqliteDatastore.findMissing(
                SqliteSettings.of(isEmbedded() ? Session.storeIn(directory) : ledger),
                Stream.concat(Stream.of(ledger), ledgers.stream().map(IpamAdopt::path))
                        .toList(),
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
            throw new CommandRefusedException(
                    "%d claims contradict the recorded holders and were ignored; check which pod has the"
                                    .formatted(adoption.conflicts())
                            + " address, and delete the other one");
        }
        return ExitCode.DONE;
    }

    private Orphan open() {
        var directory = options.store().dataDirectory(context.environment());
        if (isEmbedded()) {
            return dryRun ? embeddedToLook(directory) : embedded(directory);
        }
        return dryRun ? elsewhereToLook(directory) : elsewhere(directory);
    }

    private boolean isEmbedded() {
        return options.store().kind(context.environment()) == StoreOptions.Kind.EMBEDDED;
    }

    private Orphan elsewhere(Path directory) {
        var ledger = LedgerFile.fileIn(directory);
        var settings = SqliteSettings.of(ledger);
        var store = Session.openToLook(options.store(), context).datastore();
        try {
            var identity = identity(store);
            var journal = SqliteJournal.openToAdopt(settings);
            long before = LedgerOrigin.revisionsBefore(ledger, journal, identity);
            return new Orphan(new Session(store, journal, before, context), () -> {
                SqliteDatastore.accept(settings);
                LedgerOrigin.accept(ledger, identity(store), before);
            });
        } catch (RuntimeException failed) {
            store.close();
            throw failed;
        }
    }

    private StoreIdentity identity(Datastore store) {
        return Session.fetchIdentity(store, options.store(), context)
                .orElseThrow(() -> new CommandRefusedException(
                        "this user may not read the identity of the store; use one who may"));
    }

    private Orphan elsewhereToLook(Path directory) {
        var journal = SqliteJournal.lookToAdopt(SqliteSettings.of(LedgerFile.fileIn(directory)))
                .<Journal>map(found -> found)
                .orElseGet(EmptyJournal::new);
        try {
            var store = Session.openToLook(options.store(), context).datastore();
            return new Orphan(new Session(store, journal, context), () -> {});
        } catch (RuntimeException failed) {
            journal.close();
            throw failed;
        }
    }

    private Orphan embedded(Path directory) {
        var settings = SqliteSettings.of(Session.storeIn(directory));
        var former = Session.formerJournal(directory);
        var store = SqliteDatastore.openToAdopt(settings, former);
        return new Orphan(
                new Session(store, store.journal().orElseThrow(), context),
                () -> SqliteDatastore.accept(settings, former));
    }

    private Orphan embeddedToLook(Path directory) {
        var settings = SqliteSettings.of(Session.storeIn(directory));
        return new Orphan(
                new Session(
                        SqliteDatastore.lookToAdopt(settings)
                                .<Datastore>map(found -> found)
                                .orElseGet(MemoryDatastore::new),
                        SqliteJournal.lookToAdopt(settings, LedgerFile.fileIn(directory))
                                .<Journal>map(found -> found)
                                .orElseGet(EmptyJournal::new),
                        context),
                () -> {});
    }

    /// The same documents in memory, so that a rehearsal there shows what would be done.
    private Session copy(Session session) {
        var copy = new MemoryDatastore();
        for (var prefix : prefixes()) {
            try {
                session.datastore().scan(prefix, page -> page.forEach(each -> put(copy, each)));
            } catch (DatastoreException failed) {
                if (failed.kind() != DatastoreException.Kind.DENIED) {
                    throw failed;
                }
            }
        }
        return new Session(copy, new MemoryJournal(), context);
    }

    private static void put(Datastore copy, Document document) {
        copy.commit(List.of(new Write.Create(document.key(), document.value())));
    }

    /// In a cluster, Cadastre assigns only Calico's addresses.
    private List<String> prefixes() {
        boolean cluster = options.store().kind(context.environment()) == StoreOptions.Kind.KUBERNETES;
        return cluster ? PREFIXES.subList(0, 1) : PREFIXES;
    }

    private List<HolderClaim> claims(Session own) {
        var claims = new ArrayList<>(HolderClaim.ofLedger(new Ledger(own.journal()), node.name(), "the own ledger"));
        for (var ledger : ledgers) {
            claims.addAll(ofLedger(path(ledger)));
        }
        return claims;
    }

    private List<HolderClaim> ofLedger(Path file) {
        try (var journal = SqliteJournal.openToRead(SqliteSettings.of(file))
                .orElseThrow(() -> new UsageException("ledger %s does not exist".formatted(file)))) {
            return HolderClaim.ofLedger(new Ledger(journal), node.name(), file.toString());
        }
    }

    /// Running pods with addresses of these pools.
    private List<HolderClaim> podsIn(List<Holding> pools) {
        try (var pods = Cluster.findPods(options.store(), context).orElseGet(MemoryDatastore::new)) {
            return HolderClaim.ofPods(pods).stream()
                    .filter(claim -> pools.stream()
                            .anyMatch(
                                    pool -> pool.range().contains(claim.range().first())))
                    .toList();
        }
    }
}
