package io.cadastre.engine.block;

/// What holds for the whole cluster.
///
/// @param strictAffinity whether a host gives addresses of its own blocks only
/// @param autoAllocateBlocks whether a host may claim further blocks by itself
/// @param maxBlocksPerHost how many blocks a host may have in a family; zero if not said
/// @param cooldownSeconds how long a released address rests
public record IpamConfig(
        boolean strictAffinity,
        boolean autoAllocateBlocks,
        int maxBlocksPerHost,
        Persistence persistence,
        int cooldownSeconds) {

    /// What applies if nothing is configured.
    public static final IpamConfig DEFAULT = new IpamConfig(false, true, 0, Persistence.ENABLED, 0);

    /// Whether the address of a virtual machine stays when it restarts.
    public enum Persistence {
        /// Not set, which readers take for enabled.
        UNSET,
        ENABLED,
        DISABLED
    }

    public IpamConfig {
        if (maxBlocksPerHost < 0) {
            throw new IllegalArgumentException("a host has no %d blocks".formatted(maxBlocksPerHost));
        }
    }

    public IpamConfig withStrictAffinity(boolean strict) {
        return new IpamConfig(strict, autoAllocateBlocks, maxBlocksPerHost, persistence, cooldownSeconds);
    }

    public IpamConfig withAutoAllocateBlocks(boolean auto) {
        return new IpamConfig(strictAffinity, auto, maxBlocksPerHost, persistence, cooldownSeconds);
    }

    public IpamConfig withMaxBlocksPerHost(int blocks) {
        return new IpamConfig(strictAffinity, autoAllocateBlocks, blocks, persistence, cooldownSeconds);
    }

    public IpamConfig withPersistence(Persistence other) {
        return new IpamConfig(strictAffinity, autoAllocateBlocks, maxBlocksPerHost, other, cooldownSeconds);
    }

    public IpamConfig withCooldownSeconds(int seconds) {
        return new IpamConfig(strictAffinity, autoAllocateBlocks, maxBlocksPerHost, persistence, seconds);
    }
}
