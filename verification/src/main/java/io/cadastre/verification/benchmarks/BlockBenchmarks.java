package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Recorder;
import io.cadastre.verification.benchmarks.EtcdPeer.Counters;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Blocks leased to nodes on a real etcd, beside Calico's own sequence of reads and writes through the
/// same client, in one run, with what etcd counted.
public final class BlockBenchmarks implements AutoCloseable {

    private static final Prefix POOL = Prefix.parse("10.0.0.0/8");
    private static final int BLOCK_LENGTH = 26;
    private static final int W1_NODES = 15;

    private final PrintStream out;
    private final BenchContext means;
    private final EtcdPeer etcd;
    private final Datastore store;
    private final Path directory;
    private final SqliteJournal journal;
    private final Ledger ledger;

    /// As an agent keeps it where the store is elsewhere.
    private final Recorder lateLedger;

    private BlockBenchmarks(PrintStream out, BenchContext means) throws Exception {
        this.out = out;
        this.means = means;
        this.etcd = EtcdPeer.start(means.pause());
        this.store = etcd.open();
        this.directory = Files.createTempDirectory("cadastre-bench-ledger");
        this.journal = SqliteJournal.open(SqliteSettings.of(directory.resolve("ledger.db")));
        this.ledger = new Ledger(journal);
        this.lateLedger = new LateRecorder(ledger, out::println);
    }

    /// Starts an etcd of its own. It must be on the PATH.
    public static BlockBenchmarks start(PrintStream out, BenchContext means) throws Exception {
        return new BlockBenchmarks(out, means);
    }

    /// One address among a hundred pools, by a new client.
    public void measureW1() throws Exception {
        for (int blockLength : List.of(32, 26, 20)) {
            empty();
            warmUp(blockLength);
            var pools = new Subdivision(Prefix.parse("10.0.0.0/8"), 16);
            for (int index = 0; index < 100; index++) {
                BenchCluster.addPool(store, "pool-" + index, pools.part(index), blockLength);
            }
            BenchCluster.addNodes(store, "node-", W1_NODES);
            var handles = "w1-%d-".formatted(blockLength);
            try (var clients = new Clients()) {
                IntStream.range(0, 300).forEach(_ -> clients.open());
                // The connection is made when it is first used; a new client has one.
                clients.stores.forEach(client -> client.get("/anything"));
                var before = etcd.counters();
                var nanos = new long[300];
                for (int number = 0; number < nanos.length; number++) {
                    var node = "node-" + number % W1_NODES;
                    var client = OwnWay.fresh(clients.stores.get(number), node, ledger, means);
                    long begin = System.nanoTime();
                    client.assign(handles + number);
                    nanos[number] = System.nanoTime() - begin;
                    client.release(handles + number);
                }
                var figures = Figures.alone(nanos);
                say("W1 /%d of 100 pools, and back".formatted(blockLength), figures, since(before));
            }
        }
    }

    /// The first address of a thousand nodes.
    public void measureW2() throws Exception {
        int nodes = 1000;
        empty();
        BenchCluster.addPool(store, "pool", POOL, BLOCK_LENGTH);
        BenchCluster.addNodes(store, "own-", nodes);
        BenchCluster.addNodes(store, "calico-", nodes);
        warmUp(BLOCK_LENGTH);
        for (int callers : List.of(1, 16)) {
            int each = nodes / 2 / callers;
            int from = callers == 1 ? 0 : nodes / 2;
            var agents = agents("own-", from, callers * each);
            try {
                var before = etcd.counters();
                var own = ConcurrentCallers.measure(
                        callers,
                        each,
                        (caller, number) ->
                                agents.get(caller * each + number).assign("own-%d-%d".formatted(caller, number)));
                say("W2 own way, %d at once".formatted(callers), own, since(before));
                var way = new CalicoWay(store, POOL, dice());
                before = etcd.counters();
                var calico = ConcurrentCallers.measure(callers, each, (caller, number) -> {
                    int node = from + caller * each + number;
                    way.assign("calico-" + node, "calico-" + node);
                });
                say("W2 Calico's way, %d at once".formatted(callers), calico, since(before));
                ratio(own, calico);
            } finally {
                agents.forEach(OwnWay::close);
            }
        }
    }

    /// The next address of a node that has a block.
    public void measureW3() throws Exception {
        empty();
        try (var next = new NextAddress(out, means, etcd, store, ledger, POOL)) {
            next.warmUp(300, 40);
            next.measureOne(10, 5);
            next.measureCallers(16, 1);
            next.measureNodes(16, 5);
        }
    }

    /// A pool of 1024 full blocks, then one that is free.
    public void measureW8() throws Exception {
        empty();
        var full = Prefix.parse("10.1.0.0/16");
        BenchCluster.addPool(store, "a-full", full, BLOCK_LENGTH);
        BenchCluster.addPool(store, "b-free", Prefix.parse("10.2.0.0/16"), BLOCK_LENGTH);
        BenchCluster.addNodes(store, "node-", 200);
        fill(full);
        warmUp(BLOCK_LENGTH);
        var before = etcd.counters();
        var fresh = ConcurrentCallers.measure(
                1,
                50,
                (_, number) -> inside(
                        full,
                        OwnWay.fresh(store, "node-" + number, ledger, means).assign("w8-fresh-" + number)));
        say("W8 a client that has just come", fresh, since(before));
        var agents = agents("node-", 50, 50);
        try {
            before = etcd.counters();
            var watching = ConcurrentCallers.measure(
                    1, 50, (_, number) -> inside(full, agents.get(number).assign("w8-watching-" + number)));
            say("W8 an agent that watches", watching, since(before));
        } finally {
            agents.forEach(OwnWay::close);
        }
    }

    private static void inside(Prefix full, Address given) {
        if (full.contains(given)) {
            throw new IllegalStateException("%s is in the full pool".formatted(given));
        }
    }

    /// Every block is another host's, and every address of it is taken.
    private void fill(Prefix pool) {
        var blocks = new Subdivision(pool, BLOCK_LENGTH);
        var writes = new ArrayList<Write>();
        for (int index = 0; index < 1024; index++) {
            var cidr = blocks.part(index);
            var host = "full-" + index / 16;
            var zeros = String.join(",", Collections.nCopies(64, "0"));
            var sequences =
                    IntStream.range(0, 64).mapToObj("\"%d\":5"::formatted).collect(Collectors.joining(","));
            var block = ("{\"cidr\":\"%s\",\"affinity\":\"host:%s\",\"allocations\":[%s],"
                            + "\"unallocated\":[],\"attributes\":[{\"handle_id\":\"full\"}],"
                            + "\"sequenceNumber\":6,\"sequenceNumberForAllocation\":{%s},"
                            + "\"deleted\":false}")
                    .formatted(cidr, host, zeros, sequences);
            writes.add(new Write.Create(new CalicoKey.OfBlock(cidr).text(), Bytes.ofUtf8(block)));
        }
        BenchCluster.write(store, writes);
    }

    /// Sixty-four clients on eight nodes, each with a connection and a registrar of its own.
    public void measureClients() throws Exception {
        int clientCount = 64;
        int nodes = 8;
        int total = 10_000;
        empty();
        BenchCluster.addPool(store, "pool", POOL, BLOCK_LENGTH);
        BenchCluster.addNodes(store, "node-", nodes);
        // Ten thousand addresses on eight nodes are more blocks than a node has by default.
        store.commit(List.of(new Write.Create(
                CalicoKeys.CONFIG, Bytes.ofUtf8("{\"auto_allocate_blocks\":true," + "\"maxBlocksPerHost\":1000}"))));
        var given = Collections.synchronizedList(new ArrayList<Address>());
        try (var clients = new Clients()) {
            var agents = new ArrayList<OwnWay>();
            for (int index = 0; index < clientCount; index++) {
                var client = clients.open();
                agents.add(OwnWay.watching(client, "node-" + index % nodes, lateLedger, means));
            }
            int each = total / clientCount + 1;
            var before = etcd.counters();
            var figures = ConcurrentCallers.measure(clientCount, each, (caller, number) -> {
                if (caller * each + number < total) {
                    given.add(agents.get(caller).assign("c-%d-%d".formatted(caller, number)));
                }
            });
            out.printf(
                    Locale.ROOT,
                    "64 clients on 8 nodes: %d addresses in %.1f s, %.0f/s; p99 %.1f ms; %s%n",
                    given.size(),
                    figures.seconds(),
                    total / figures.seconds(),
                    figures.millis(0.99),
                    since(before).perOperation(total));
            agents.forEach(OwnWay::close);
        }
        check(new HashSet<>(given), total);
        checkStored(Set.copyOf(given));
    }

    /// The blocks have exactly the addresses that were returned.
    private void checkStored(Set<Address> told) {
        var stored = new HashSet<Address>();
        for (var document : store.listAll(CalicoKeys.BLOCKS).documents()) {
            stored.addAll(StoredBlocks.addresses(document));
        }
        if (!stored.equals(told)) {
            throw new IllegalStateException(
                    "%d addresses are in blocks, %d were returned".formatted(stored.size(), told.size()));
        }
        out.println("  none doubled, none lost: the blocks hold just the returned addresses");
    }

    private static void check(Set<Address> given, int expected) {
        if (given.size() != expected) {
            throw new IllegalStateException("%d different addresses, not %d".formatted(given.size(), expected));
        }
    }

    private List<OwnWay> agents(String word, int from, int count) throws InterruptedException {
        var agents = new ArrayList<OwnWay>();
        for (int index = 0; index < count; index++) {
            agents.add(OwnWay.watching(store, word + (from + index), lateLedger, means));
        }
        return agents;
    }

    /// Both ways run a while before anything is measured, on nodes of their own and as often as each
    /// other, until the compiler has seen them.
    private void warmUp(int blockLength) throws Exception {
        int nodes = 180;
        int each = 10;
        BenchCluster.addNodes(store, "warm-", nodes + 1);
        BenchCluster.addPool(store, "z-warm", Prefix.parse("172.16.0.0/12"), blockLength);
        // Its blocks always have 64 addresses and must not overlap the others.
        var way = new CalicoWay(store, Prefix.parse("100.64.0.0/10"), dice());
        var watching = OwnWay.watching(store, "warm-" + nodes, lateLedger, means);
        try {
            for (int number = 0; number < nodes * each; number++) {
                var node = "warm-" + number / each;
                OwnWay.fresh(store, node, ledger, means).assign("warm-fresh-" + number);
                watching.assign("warm-watching-" + number);
                watching.release("warm-watching-" + number);
                way.assign(node, "warm-calico-" + number);
            }
        } finally {
            watching.close();
        }
    }

    private static RandomGenerator dice() {
        return RandomGenerator.of("L64X128MixRandom");
    }

    private void empty() {
        for (var document : store.listAll("").documents()) {
            store.commit(List.of(new Write.Delete(document.key(), document.revision())));
        }
    }

    private Counters since(Counters before) throws Exception {
        return etcd.counters().since(before);
    }

    private void say(String name, Figures figures, Counters counters) {
        out.printf(Locale.ROOT, "%s: %s; %s each%n", name, figures.words(), counters.perOperation(figures.count()));
    }

    private void ratio(Figures own, Figures calico) {
        out.printf(Locale.ROOT, "  ratio: %.1f%n", own.perSecond() / calico.perSecond());
    }

    /// Connections that are closed together.
    private final class Clients implements AutoCloseable {

        private final List<EtcdDatastore> stores = new ArrayList<>();

        EtcdDatastore open() {
            var client = etcd.open();
            stores.add(client);
            return client;
        }

        @Override
        public void close() {
            stores.forEach(EtcdDatastore::close);
        }
    }

    @Override
    public void close() throws IOException {
        store.close();
        lateLedger.close();
        journal.close();
        etcd.close();
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
