package io.cadastre.engine.pool.collect;

import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import java.time.Duration;

/// What may be taken back, and after which delay.
///
/// @param onReadyNode from pods that are being deleted or have ended on a node that is ready
/// @param onNotReadyNode the same on a node that is not ready
/// @param withoutAddresses from running pods that report no address. To release those can assign an address twice.
/// @param delay added to each grace period
public record CollectSettings(Gate onReadyNode, Gate onNotReadyNode, Gate withoutAddresses, Duration delay) {

    public static final CollectSettings DEFAULT = new CollectSettings(Gate.OPEN, Gate.OPEN, Gate.CLOSED, Duration.ZERO);

    public CollectSettings {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay is not negative: " + delay);
        }
    }

    /// Whether something is released.
    public enum Gate {
        OPEN,
        CLOSED
    }

    boolean opensOn(NodeHealth node) {
        return switch (node) {
            case READY -> onReadyNode == Gate.OPEN;
            case NOT_READY -> onNotReadyNode == Gate.OPEN;
            case UNKNOWN -> false;
        };
    }
}
