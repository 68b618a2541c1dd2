package io.cadastre.verification.simulation.block;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.verification.simulation.pool.PoolPlan;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a simulation of blocks consists of, drawn from its seed.
///
/// @param pools the pools there are; all are small, so that most simulations run out of addresses
/// @param config what is configured at the start
/// @param regime whether that stays
/// @param load that of a host
/// @param leaks whether pods die without giving their addresses back
/// @param deaths how many hosts are switched off under way
/// @param watchers how many hosts know by watching what they decide on
/// @param atomic whether the store has transactions
/// @param emphasis what this seed meets more often than others
public record BlockPlan(
        FaultRates faults,
        List<PoolPlan> pools,
        IpamConfig config,
        Regime regime,
        ProcessLoad load,
        boolean leaks,
        int deaths,
        int watchers,
        boolean atomic,
        Emphasis emphasis) {

    public static final int HOSTS = 8;

    private static final int CYCLE = 9;
    private static final int LATE_TURN = 2;
    private static final int RIVALS_TURN = 5;
    private static final int COMPACTIONS_TURN = 7;
    private static final int REQUESTS_PER_THREAD_MAX = 5;

    /// The label of the hosts that only some pools serve.
    static final String SPECIAL = "special";

    /// Whether the rules may change under way.
    enum Regime {
        /// An operator configures, disables pools and makes reservations.
        CHANGING,
        /// Affinity is strict and every host has a limit of blocks, from the first to the last instant, and
        /// no host claims a block without wanting an address.
        LIMITED
    }

    /// What a seed meets again and again that drawn plans meet seldom.
    enum Emphasis {
        NONE,
        /// Requests reach the store when their senders have given up waiting, and pools are switched on and
        /// off meanwhile, so that the next attempt is refused.
        LATE_REQUESTS,
        /// Two processes do the same work at one time, on a store without transactions.
        RIVALS,
        /// Every host watches, watches end because the store was compacted, and pools and reservations change
        /// all the time.
        COMPACTIONS
    }

    /// A pool to be.
    public record PoolPlan(String name, Prefix cidr, int blockLength, String nodeSelector, List<AddressUse> uses) {

        public PoolPlan {
            uses = List.copyOf(uses);
        }

        /// A pool for all nodes and uses.
        static PoolPlan of(String name, String cidr, int blockLength) {
            return new PoolPlan(
                    name, Prefix.parse(cidr), blockLength, "all()", List.of(AddressUse.WORKLOAD, AddressUse.TUNNEL));
        }

        PoolPlan onlyFor(AddressUse use) {
            return new PoolPlan(name, cidr, blockLength, nodeSelector, List.of(use));
        }

        PoolPlan selecting(String selector) {
            return new PoolPlan(name, cidr, blockLength, selector, uses);
        }
    }

    public BlockPlan {
        pools = List.copyOf(pools);
    }

    /// Whether a caller that was answered knows what will be. Without transactions, a block whose creation
    /// is late may still come into being when its host has claimed another one meanwhile; and a request
    /// that was refused after all may yet be served by a block that is late.
    boolean arrivesInTime() {
        return atomic || !faults.has(Fault.REQUEST_LATE);
    }

    /// The plan of a seed. Seeds without emphasis draw the same as if no seed had one.
    static BlockPlan of(long seed, RandomGenerator dice) {
        var drawn = drawn(dice);
        return switch (Math.floorMod(seed, CYCLE)) {
            case LATE_TURN -> drawn.withLateRequests();
            case RIVALS_TURN -> drawn.withRivals();
            case COMPACTIONS_TURN -> drawn.withCompactions();
            default -> drawn;
        };
    }

    /// With one pool, whose blocks last for a while: an attempt that only rewrites them can be barred.
    private BlockPlan withLateRequests() {
        return new BlockPlan(
                FaultRates.late(),
                List.of(PoolPlan.of("only", "10.20.0.0/26", 28)),
                config.withStrictAffinity(false).withMaxBlocksPerHost(0),
                Regime.CHANGING,
                load.withRequestsEach(REQUESTS_PER_THREAD_MAX),
                leaks,
                deaths,
                watchers,
                atomic,
                Emphasis.LATE_REQUESTS);
    }

    private BlockPlan withRivals() {
        return new BlockPlan(
                FaultRates.slow(), pools, config, regime, load, leaks, deaths, watchers, false, Emphasis.RIVALS);
    }

    private BlockPlan withCompactions() {
        return new BlockPlan(
                FaultRates.compacting(),
                pools,
                config,
                Regime.CHANGING,
                load.withRequestsEach(REQUESTS_PER_THREAD_MAX),
                leaks,
                deaths,
                HOSTS,
                atomic,
                Emphasis.COMPACTIONS);
    }

    /// One pool with room for all hosts, and rules that stay.
    public static BlockPlan simple(FaultRates faults) {
        return new BlockPlan(
                faults,
                List.of(PoolPlan.of("simple", "10.20.0.0/25", 29)),
                IpamConfig.DEFAULT,
                Regime.CHANGING,
                new ProcessLoad(1, 1),
                true,
                0,
                0,
                true,
                Emphasis.NONE);
    }

    public static BlockPlan drawn(RandomGenerator dice) {
        var regime = dice.nextInt(4) == 0 ? Regime.LIMITED : Regime.CHANGING;
        var pools = drawnPools(dice, regime);
        int cooldownSeconds = dice.nextInt(3) == 0 ? dice.nextInt(1, 4) : 0;
        var config = IpamConfig.DEFAULT.withCooldownSeconds(cooldownSeconds);
        boolean leaks = dice.nextInt(3) == 0;
        return new BlockPlan(
                FaultRates.fairOrDrawn(dice),
                pools,
                regime == Regime.LIMITED
                        ? config.withStrictAffinity(true).withMaxBlocksPerHost(dice.nextInt(1, 3))
                        : config.withStrictAffinity(dice.nextInt(3) == 0),
                regime,
                new ProcessLoad(dice.nextInt(1, 3), dice.nextInt(2, 6)),
                leaks,
                leaks ? dice.nextInt(3) : 0,
                dice.nextInt(HOSTS + 1),
                dice.nextInt(3) > 0,
                Emphasis.NONE);
    }

    /// The limit of blocks of a host counts within the pools for a use. Where it is checked, all pools are
    /// for all uses.
    private static List<PoolPlan> drawnPools(RandomGenerator dice, Regime regime) {
        var pools = new ArrayList<PoolPlan>();
        pools.add(PoolPlan.of("small", "10.20.0.0/28", 30));
        if (dice.nextBoolean()) {
            pools.add(PoolPlan.of("large", "10.10.0.0/25", 29));
        }
        if (dice.nextInt(3) > 0) {
            pools.add(PoolPlan.of("six", "fd00:20::/124", 126));
        }
        if (dice.nextInt(3) == 0) {
            var chosen = PoolPlan.of("chosen", "10.30.0.0/28", 30).selecting("has(%s)".formatted(SPECIAL));
            pools.add(regime == Regime.LIMITED ? chosen : chosen.onlyFor(AddressUse.WORKLOAD));
        }
        if (regime == Regime.CHANGING && dice.nextBoolean()) {
            pools.add(PoolPlan.of("tunnels", "10.40.0.0/29", 31).onlyFor(AddressUse.TUNNEL));
        }
        return pools;
    }
}
