package io.cadastre.engine.block.collect;

import java.time.Duration;

/// How a collector works.
///
/// @param leakGrace how long an address may seem unused before it is leaked, and how long a block may
///     be empty; zero if neither is ever concluded while the node lives
/// @param store whether anything may be written
public record CollectorSettings(Duration leakGrace, Store store) {

    public static final CollectorSettings DEFAULT = new CollectorSettings(Duration.ofMinutes(15), Store.READY);

    /// Whether a cluster's store may be written.
    public enum Store {
        READY,
        LOCKED
    }
}
