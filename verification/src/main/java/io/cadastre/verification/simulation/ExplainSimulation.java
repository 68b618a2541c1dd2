package io.cadastre.verification.simulation;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.RemoveRequest;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.verification.simulation.block.BlockPlan;
import io.cadastre.verification.simulation.block.BlockWorld;
import io.cadastre.verification.simulation.nodecidr.NodeCidrPlan;
import io.cadastre.verification.simulation.pool.PoolSimulation;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoReflector;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/// Compares what is explained with what is then done: one request after another, each explained by one
/// process and carried out by another on the same state. Outcome, addresses and reasons are the same. In
/// every other walk of blocks it is one process, which watches the store and keeps state as an agent does.
///
/// Some decisions are written in part only, as by a process that dies, so that the states are those a store
/// comes to. One seed is one walk.
public final class ExplainSimulation {

    /// How many requests a walk compares.
    public static final int REQUESTS = 25;

    private static final Instant BEGIN = Instant.parse("2026-11-16T08:00:00Z");

    private final Dialect dialect;
    private final long seed;
    private final SplittableRandom dice;
    private final Datastore store = new MemoryDatastore();
    private final List<String> history = new ArrayList<>();
    private Instant now = BEGIN;

    private ExplainSimulation(Dialect dialect, long seed) {
        this.dialect = dialect;
        this.seed = seed;
        this.dice = new SplittableRandom(seed);
    }

    /// Takes the walk of a seed.
    ///
    /// @return how many states were compared
    /// @throws AssertionError if what was done is not what was explained
    public static int run(Dialect dialect, long seed) {
        var simulation = new ExplainSimulation(dialect, seed);
        try (simulation.store) {
            switch (dialect) {
                case CALICO -> simulation.walkBlocks();
                case SPIDERPOOL -> simulation.walkPools();
                case NODE_CIDR -> simulation.walkNodes();
                case CONTROLLER, NODE_IPAM, LEDGER, HOST_LOCAL -> {
                    return 0;
                }
            }
        }
        return REQUESTS;
    }

    // ---- what is asked ----

    private void walkBlocks() {
        var plan = BlockPlan.drawn(dice);
        new BlockWorld(store, plan, () -> now).found();
        var watched = new WatchedStore(store);
        var owner = Owner.host(BlockWorld.host(1));
        try (var reflector = CalicoReflector.begin(watched, owner, () -> now, Thread::sleep)) {
            Supplier<Book<BlockView, BlockChange>> forgetful = () -> new CalicoBook(store, () -> now);
            var trial = Math.floorMod(seed, 2) == 0
                    ? new Trial<>(forgetful)
                    : new Trial<>(forgetful, reflector.book(), watched);
            for (int step = 0; step < REQUESTS; step++) {
                now = now.plusMillis(dice.nextInt(90_000));
                askBlocks(trial, plan.pools().get(dice.nextInt(plan.pools().size())));
            }
        }
    }

    private void askBlocks(Trial<BlockView, BlockChange> trial, BlockPlan.PoolPlan pool) {
        var host = BlockWorld.host(dice.nextInt(BlockPlan.HOSTS) + 1);
        var handle = "h" + dice.nextInt(8);
        var address = pool.cidr().first().plus(dice.nextInt(pool.cidr().size().intValueExact()));
        var block = Prefix.containing(address, pool.blockLength());
        var at = now;
        switch (dice.nextInt(12)) {
            case 0 ->
                trial.ask(
                        "assign %s to %s".formatted(address, handle),
                        view -> BlockEngine.assignAddress(
                                view,
                                AssignAddressRequest.of(address, host, Requester.of(handle), at)
                                        .forUse(AddressUse.WORKLOAD)));
            case 1 ->
                trial.ask(
                        "release handle " + handle,
                        view -> BlockEngine.releaseByHandle(view, handle, Attempts.first(at)));
            case 2 -> {
                var options = List.of(ReleaseOption.of(address.toString()));
                trial.ask("release " + address, view -> BlockEngine.release(view, options, Attempts.first(at)));
            }
            case 3 ->
                trial.ask(
                        "claim %s for %s".formatted(block, host),
                        view -> BlockEngine.claimAffinity(view, new ClaimRequest(block, Owner.host(host), at)));
            case 4 ->
                trial.ask(
                        "release host " + host,
                        view -> BlockEngine.releaseHost(
                                view, Owner.host(host), ReleaseCondition.REQUIRED, Attempts.first(at)));
            default -> {
                var request = AssignRequest.on(host, AddressUse.WORKLOAD, at)
                        .by(Requester.of(handle))
                        .ipv4(Ask.of(dice.nextInt(1, 5)))
                        .ipv6(Ask.of(dice.nextInt(3) == 0 ? 1 : 0));
                trial.ask("assign on %s to %s".formatted(host, handle), view -> BlockEngine.assign(view, request));
            }
        }
    }

    private void walkPools() {
        PoolSimulation.layOut(store, dice.nextInt(3, 13));
        var trial = new Trial<PoolView, PoolChange>(() -> new SpiderBook(store, () -> now));
        for (int step = 0; step < REQUESTS; step++) {
            now = now.plusMillis(dice.nextInt(90_000));
            var key = new PodKey("sim", "pod-" + dice.nextInt(8));
            var uid = "uid-" + dice.nextInt(2);
            switch (dice.nextInt(6)) {
                case 0 ->
                    trial.ask(
                            "release " + key,
                            view -> PoolEngine.release(
                                    view,
                                    new PoolReleaseRequest(key, "eth0", uid, new PoolReleaseRequest.PodState.Gone())));
                case 1 ->
                    trial.ask(
                            "force " + key, view -> PoolEngine.forceRelease(view, new ForcedReleaseRequest(key, uid)));
                default -> {
                    var request = PoolSimulation.request(key, uid, PoolSimulation.preference(dice.nextInt(3)));
                    trial.ask("add " + key, view -> PoolEngine.allocate(view, request));
                }
            }
        }
    }

    private void walkNodes() {
        var config = NodeCidrPlan.drawn(dice).config();
        var trial = new Trial<NodeCidrView, NodeCidrChange>(() -> new NodeBook(store, config, () -> now));
        for (int step = 0; step < REQUESTS; step++) {
            now = now.plusMillis(dice.nextInt(90_000));
            var node = "node-" + dice.nextInt(12);
            var removal = dice.nextInt(3) == 0 ? NodeBook.findRemoval(store, node) : Optional.<RemoveRequest>empty();
            if (removal.isPresent()) {
                trial.ask("remove " + node, view -> NodeCidrEngine.remove(view, removal.get()));
            } else {
                trial.ask("add " + node, view -> NodeCidrEngine.add(view, new AddRequest(node)));
            }
        }
    }

    // ---- how it is compared ----

    /// Two processes on one store.
    private final class Trial<V, C extends Change> {

        private final Book<V, C> book;
        private final Registrar<V, C> explaining;
        private final Registrar<V, C> enacting;

        private final Runnable settle;

        Trial(Supplier<Book<V, C>> books) {
            book = books.get();
            explaining = registrar(books.get());
            enacting = registrar(books.get());
            settle = () -> {};
        }

        /// One process explains and enacts. What it remembers is part of the state: of blocks that it has
        /// seen full it tries others first, which another process does not.
        ///
        /// @param settled waits until it knows what was written
        Trial(Supplier<Book<V, C>> others, Book<V, C> own, Runnable settled) {
            book = others.get();
            explaining = registrar(own);
            enacting = explaining;
            settle = settled;
        }

        private Registrar<V, C> registrar(Book<V, C> own) {
            return new Registrar<>(
                    own, new Ledger(new MemoryJournal()), Registrar.Limits.DEFAULT, () -> now, dice.split(), _ -> {});
        }

        <O> void ask(String words, Function<V, Decision<C, O>> law) {
            history.add(words);
            settle.run();
            var explained = explaining.explain(new Request<>(words, law));
            if (dice.nextInt(8) == 0) {
                stopAfter(dice.nextInt(1 + explained.changes().size()), law);
                settle.run();
                explained = explaining.explain(new Request<>(words, law));
            }
            var made = new ArrayList<Decision<C, O>>();
            var outcome = enacting.enact(new Request<>(words, view -> {
                var decision = law.apply(view);
                made.add(decision);
                return decision;
            }));
            require(words, "outcome", explained.outcome(), outcome);
            require(words, "reasons", explained.because(), made.getLast().because());
        }

        /// Writes the first changes of a decision, and no more.
        private <O> void stopAfter(int count, Function<V, Decision<C, O>> law) {
            history.add("dies after %d changes".formatted(count));
            var page = book.open();
            // Ends: each round reads something that was missing.
            while (true) {
                try {
                    var changes = law.apply(page.view()).changes();
                    var commit = page.with(changes.subList(0, Math.min(count, changes.size())))
                            .save();
                    history.add(commit.toString());
                    return;
                } catch (NotReadException notRead) {
                    page = page.reading(notRead.missing());
                } catch (PageFullException _) {
                    return;
                }
            }
        }
    }

    /// The store of a process that watches. It knows when the watches have reported all that was written.
    private static final class WatchedStore implements ForwardingDatastore, Runnable {

        /// The configuration, pools, reservations, the node and its affinities.
        private static final int WATCHES = 5;

        private final Datastore store;

        /// Guards all that follows.
        private final Object monitor = new Object();

        private final List<ObservedWatch> watches = new ArrayList<>();
        private int asked;

        WatchedStore(Datastore store) {
            this.store = store;
        }

        @Override
        public Datastore store() {
            return store;
        }

        /// Waits until each watch has reported everything. No other process may write meanwhile.
        @Override
        public void run() {
            synchronized (monitor) {
                asked++;
                monitor.notifyAll();
                try {
                    while (watches.size() < WATCHES || watches.stream().anyMatch(watch -> watch.answered < asked)) {
                        monitor.wait();
                    }
                } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                }
            }
        }

        @Override
        public Watch watch(String prefix, long after) {
            synchronized (monitor) {
                var watch = new ObservedWatch(store.watch(prefix, after));
                watches.add(watch);
                monitor.notifyAll();
                return watch;
            }
        }

        @Override
        public void close() {}

        private final class ObservedWatch implements Watch {

            private final Watch watch;
            private int answered;

            ObservedWatch(Watch watch) {
                this.watch = watch;
            }

            /// A watcher that asks again has processed what it got before.
            @Override
            public Notice next(Duration limit) {
                synchronized (monitor) {
                    // Ends with a notice, or when the reflector is closed.
                    while (true) {
                        var notice = watch.next(Duration.ZERO);
                        if (!(notice instanceof Notice.Quiet)) {
                            return notice;
                        }
                        answered = asked;
                        monitor.notifyAll();
                        try {
                            while (answered == asked) {
                                monitor.wait();
                            }
                        } catch (InterruptedException _) {
                            throw new DatastoreException(DatastoreException.Kind.CLOSED, "the process has ended");
                        }
                    }
                }
            }

            @Override
            public void close() {
                watch.close();
                synchronized (monitor) {
                    watches.remove(this);
                }
            }
        }
    }

    private void require(String words, String what, Object explained, Object done) {
        if (!explained.equals(done)) {
            throw new AssertionError("""
                seed %d, %s: %s: the %s that was explained is not what was done
                explained: %s
                done:      %s
                replay: ./cadastre simulate --seeds 1 --first %d --dialect %s
                history:
                %s\
                """.formatted(
                            seed, dialect, words, what, explained, done, seed, dialect, String.join("\n", history)));
        }
    }
}
