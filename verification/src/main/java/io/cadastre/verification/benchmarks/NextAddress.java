package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Recorder;
import io.cadastre.verification.benchmarks.EtcdPeer.Counters;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The next address of nodes that have a block: W3.
///
/// The ways take turns, a short while each, so that whatever else the machine does meets all of them.
/// Every turn is on nodes of its own, which have taken one address and need no second block, since that
/// is what costs Calico eight reads and two transactions; every full block of a node would cost it two
/// more reads. A node has a connection of its own, as it would on a machine of its own. The ledger is on
/// the disk; a turn ends when all of its entries are there.
final class NextAddress implements AutoCloseable {

    private static final int BLOCK_LENGTH = 26;

    /// With the first address they fit into a block.
    private static final int TIMES = 60;

    private final PrintStream out;
    private final BenchContext means;
    private final EtcdPeer etcd;
    private final Datastore store;
    private final Ledger ledger;
    private final Prefix pool;
    private final List<Datastore> connections = new ArrayList<>();
    private int turns;

    /// @param store where pools and nodes are written
    /// @param pool what addresses are taken from; it is the only pool
    NextAddress(PrintStream out, BenchContext means, EtcdPeer etcd, Datastore store, Ledger ledger, Prefix pool) {
        this.out = out;
        this.means = means;
        this.etcd = etcd;
        this.store = store;
        this.ledger = ledger;
        this.pool = pool;
        BenchCluster.addPool(store, "pool", pool, BLOCK_LENGTH);
    }

    /// Lets every way do what is measured until the compiler has seen it, each as often: first where a
    /// commit takes no time, and then on etcd. A process that runs for months is past all this.
    void warmUp(int roundsInMemory, int rounds) throws Exception {
        try (var memory = new MemoryDatastore()) {
            BenchCluster.addPool(memory, "pool", pool, BLOCK_LENGTH);
            for (int round = 0; round < roundsInMemory; round++) {
                var place = new Place(memory, _ -> memory);
                own(place, Crew.ONE, this::later);
                calicos(place, Crew.ONE);
            }
        }
        for (int round = 0; round < rounds; round++) {
            own(onEtcd(), Crew.ONE, this::later);
            own(onEtcd(), Crew.ONE, this::atOnce);
            calicos(onEtcd(), Crew.ONE);
        }
    }

    /// Where addresses are taken.
    ///
    /// @param store where nodes are written
    /// @param connections of each node its own
    private record Place(Datastore store, IntFunction<Datastore> connections) {}

    private Place onEtcd() {
        return new Place(store, this::connection);
    }

    /// Which callers ask on which nodes in one turn.
    ///
    /// @param times how often each caller asks
    /// @param node the node on which a caller asks for the address of this number
    private record Crew(int nodes, int callers, int times, IntBinaryOperator node) {

        static final Crew ONE = oneOn(1);

        /// One caller that uses up one node after the other.
        static Crew oneOn(int nodes) {
            return new Crew(nodes, 1, nodes * TIMES, (_, number) -> number / TIMES);
        }

        int nodeOf(int caller, int number) {
            return node.applyAsInt(caller, number);
        }
    }

    /// One caller, on one node after the other, so that a turn is long enough for the ledger to be written
    /// meanwhile as it would be all day.
    void measureOne(int nodes, int rounds) throws Exception {
        measure("one caller", Crew.oneOn(nodes), rounds);
    }

    /// Several callers that ask on one node at the same time.
    void measureCallers(int callers, int rounds) throws Exception {
        measure("%d callers on one node".formatted(callers), new Crew(1, callers, TIMES, (_, _) -> 0), rounds);
    }

    /// One caller on each of several nodes.
    void measureNodes(int nodes, int rounds) throws Exception {
        measure("%d nodes".formatted(nodes), new Crew(nodes, nodes, TIMES, (caller, _) -> caller), rounds);
    }

    /// Measures each way in the given number of turns.
    private void measure(String name, Crew crew, int rounds) throws Exception {
        var own = new Tally();
        var waiting = new Tally();
        var calicos = new Tally();
        var puts = new Tally();
        for (int round = 0; round < rounds; round++) {
            own.add(own(onEtcd(), crew, this::later));
            calicos.add(calicos(onEtcd(), crew));
            waiting.add(own(onEtcd(), crew, this::atOnce));
            puts.add(puts(crew.times()));
        }
        say("W3 %s, own way".formatted(name), own);
        say("W3 %s, own way, each answer after its entry".formatted(name), waiting);
        say("W3 %s, Calico's way".formatted(name), calicos);
        out.printf(
                Locale.ROOT,
                "  ratio: %.1f; one put after the other: %.0f/s%n",
                own.figures().perSecond() / calicos.figures().perSecond(),
                puts.figures().perSecond());
    }

    /// The results of several turns of one way.
    private static final class Tally {

        private final List<Figures> figures = new ArrayList<>();
        private Counters counters = new Counters(0, 0, 0);

        void add(Turn turn) {
            figures.add(turn.figures);
            counters = counters.plus(turn.counters);
        }

        Figures figures() {
            return Figures.joined(figures);
        }
    }

    private record Turn(Figures figures, Counters counters) {}

    /// As an agent keeps it where the store is elsewhere.
    private Recorder later() {
        return new LateRecorder(ledger, complaint -> {
            throw new IllegalStateException(complaint);
        });
    }

    /// As an agent keeps it beside the embedded store, and a command everywhere.
    private Recorder atOnce() {
        return ledger;
    }

    private Turn own(Place place, Crew crew, Supplier<Recorder> recorders) throws Exception {
        var word = newNodes(place, "own", crew.nodes());
        var agents = new ArrayList<OwnWay>();
        var recorder = recorders.get();
        try {
            for (int node = 0; node < crew.nodes(); node++) {
                agents.add(OwnWay.watching(place.connections.apply(node), word + node, recorder, means));
                agents.getLast().assign(word + "first-" + node);
            }
            return turn(
                    crew,
                    (caller, number) ->
                            agents.get(crew.nodeOf(caller, number)).assign("%s-%d-%d".formatted(word, caller, number)),
                    recorder::close);
        } finally {
            agents.forEach(OwnWay::close);
        }
    }

    private Turn calicos(Place place, Crew crew) throws Exception {
        var word = newNodes(place, "calico", crew.nodes());
        var ways = new ArrayList<CalicoWay>();
        for (int node = 0; node < crew.nodes(); node++) {
            var dice = RandomGenerator.of("L64X128MixRandom");
            ways.add(new CalicoWay(place.connections.apply(node), pool, dice));
            ways.getLast().assign(word + node, word + "first-" + node);
        }
        return turn(
                crew,
                (caller, number) -> ways.get(crew.nodeOf(caller, number))
                        .assign(word + crew.nodeOf(caller, number), "%s-%d-%d".formatted(word, caller, number)),
                () -> {});
    }

    /// One address of a caller.
    @FunctionalInterface
    private interface AddressCaller {
        Address ask(int caller, int number);
    }

    /// @param end belongs to what is measured
    private Turn turn(Crew crew, AddressCaller asked, Runnable end) throws Exception {
        Set<Address> given = Collections.synchronizedSet(new HashSet<>());
        var before = etcd.counters();
        var figures = ConcurrentCallers.measure(
                crew.callers(), crew.times(), (caller, number) -> given.add(asked.ask(caller, number)));
        long last = System.nanoTime();
        end.run();
        var whole = figures.until(System.nanoTime() - last);
        var counters = etcd.counters().since(before);
        if (given.size() != figures.count()) {
            throw new IllegalStateException("%d different addresses, not %d".formatted(given.size(), figures.count()));
        }
        return new Turn(whole, counters);
    }

    private Turn puts(int times) throws Exception {
        int turn = turns++;
        var value = Bytes.of(new byte[1024]);
        var figures = ConcurrentCallers.measure(
                1,
                times,
                (_, number) -> store.commit(List.of(new Write.Create("raw/%d/%d".formatted(turn, number), value))));
        return new Turn(figures, new Counters(0, 0, 0));
    }

    /// The prefix of the names of new nodes that were not used before.
    private String newNodes(Place place, String way, int count) {
        var word = "%s-%d-".formatted(way, turns++);
        BenchCluster.addNodes(place.store, word, count);
        return word;
    }

    private Datastore connection(int node) {
        while (connections.size() <= node) {
            var connection = etcd.open();
            // It is made when it is first used.
            connection.get("/anything");
            connections.add(connection);
        }
        return connections.get(node);
    }

    private void say(String name, Tally tally) {
        var figures = tally.figures();
        out.printf(
                Locale.ROOT, "%s: %s; %s each%n", name, figures.words(), tally.counters.perOperation(figures.count()));
    }

    @Override
    public void close() {
        connections.forEach(Datastore::close);
    }
}
