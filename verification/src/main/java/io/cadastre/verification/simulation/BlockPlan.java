package io.cadastre.verification.simulation;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.IpamConfig;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a simulation of blocks consists of, drawn from its seed.
///
/// @param pools the pools there are; all are small, so that most simulations run out of addresses
/// @param config what is configured at the start
/// @param regime whether that stays
/// @param leaks whether pods die without giving their addresses back
record BlockPlan(
        Weather weather,
        List<PoolPlan> pools,
        IpamConfig config,
        Regime regime,
        int threadsPerHost,
        int requestsPerThread,
        boolean leaks) {

    static final int HOSTS = 8;

    /// The label of the hosts that only some pools serve.
    static final String SPECIAL = "special";

    /// Whether the rules may change under way.
    enum Regime {
        /// Somebody configures, disables pools and makes reservations.
        CHANGING,
        /// Affinity is strict and every host has a limit of blocks, from the first to the last instant,
        /// and nobody claims a block without wanting an address.
        LIMITED
    }

    /// A pool to be.
    record PoolPlan(String name, Prefix cidr, int blockLength, String nodeSelector) {}

    BlockPlan {
        pools = List.copyOf(pools);
    }

    static BlockPlan drawn(RandomGenerator dice) {
        var pools = new ArrayList<PoolPlan>();
        pools.add(new PoolPlan("small", Prefix.parse("10.20.0.0/28"), 30, "all()"));
        if (dice.nextBoolean()) {
            pools.add(new PoolPlan("large", Prefix.parse("10.10.0.0/25"), 29, "all()"));
        }
        if (dice.nextInt(3) > 0) {
            pools.add(new PoolPlan("six", Prefix.parse("fd00:20::/124"), 126, "all()"));
        }
        if (dice.nextInt(3) == 0) {
            pools.add(
                    new PoolPlan(
                            "chosen",
                            Prefix.parse("10.30.0.0/28"),
                            30,
                            "has(%s)".formatted(SPECIAL)));
        }
        var regime = dice.nextInt(4) == 0 ? Regime.LIMITED : Regime.CHANGING;
        int cooldownSeconds = dice.nextInt(3) == 0 ? dice.nextInt(1, 4) : 0;
        var config = IpamConfig.DEFAULT.withCooldownSeconds(cooldownSeconds);
        return new BlockPlan(
                dice.nextInt(8) == 0 ? Weather.fair() : Weather.drawn(dice),
                pools,
                regime == Regime.LIMITED
                        ? config.withStrictAffinity(true).withMaxBlocksPerHost(dice.nextInt(1, 3))
                        : config.withStrictAffinity(dice.nextInt(3) == 0),
                regime,
                dice.nextInt(1, 3),
                dice.nextInt(2, 6),
                dice.nextInt(3) == 0);
    }
}
