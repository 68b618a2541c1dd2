package io.cadastre.engine.pool.collect;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A pod that exists, as far as collection looks at it.
///
/// @param addresses those that it reports
public record ObservedPod(
        PodKey key,
        String uid,
        Phase phase,
        Deletion deletion,
        End end,
        Reported reported,
        Keeping keeping,
        NodeHealth node,
        List<Address> addresses) {

    public ObservedPod {
        addresses = List.copyOf(addresses);
    }

    /// A grace period is any number that the API server accepts. A time too far away to be told never comes.
    private static Instant later(Instant from, Duration grace, Duration delay) {
        try {
            return from.plus(grace).plus(delay);
        } catch (DateTimeException | ArithmeticException _) {
            return Instant.MAX;
        }
    }

    /// How far a pod has come.
    public enum Phase {
        PENDING,
        RUNNING,
        /// Succeeded or Failed.
        ENDED,
        UNKNOWN
    }

    /// Whether the deletion of a pod has begun.
    public sealed interface Deletion {

        record NotBegun() implements Deletion {}

        /// The pod is being deleted.
        ///
        /// @param timestamp the `deletionTimestamp`, which has the grace period in it already
        /// @param grace the `deletionGracePeriodSeconds`
        record Begun(Instant timestamp, Duration grace) implements Deletion {

            Instant over(Duration delay) {
                return later(timestamp, grace, delay);
            }
        }
    }

    /// When a pod's containers have ended.
    public sealed interface End {

        /// No container has a time at which it finished.
        record Unknown() implements End {}

        /// At least one container has finished.
        ///
        /// @param finished when the last container finished
        /// @param grace the `terminationGracePeriodSeconds`
        record At(Instant finished, Duration grace) implements End {

            Instant over(Duration delay) {
                return later(finished, grace, delay);
            }
        }
    }

    /// Which addresses a pod reports in its status.
    public enum Reported {
        NONE,
        OWN,
        /// It is in the network of its node, and has no addresses of pools.
        OF_NODE
    }

    /// What is known of a pod's node.
    public enum NodeHealth {
        READY,
        NOT_READY,
        /// The Node could not be read.
        UNKNOWN
    }

    boolean reportsNothing() {
        return reported == Reported.NONE;
    }
}
