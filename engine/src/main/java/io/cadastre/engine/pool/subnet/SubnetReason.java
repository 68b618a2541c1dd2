package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.Because;

/// Why this law decided as it did.
public sealed interface SubnetReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case LeftToReclaim(var pool, var uid) ->
                "passed over pool %s: it is of an earlier application with the uid %s and is reclaimed"
                        .formatted(pool, uid);
            case Inherited(var pool, var uid) ->
                "pool %s is kept from an earlier application with the uid %s".formatted(pool, uid);
            case Suited(var pool) -> "pool %s has what is asked for".formatted(pool);
            case TookLowest(var addresses, var subnet) ->
                "took %s, the lowest free addresses of SpiderSubnet %s".formatted(addresses, subnet);
            case GaveBackLowest(var addresses, var pool) ->
                "gives back %s, the lowest addresses of pool %s that no pod has".formatted(addresses, pool);
            case FoundPreAllocation(var addresses, var pool) ->
                "SpiderSubnet has %s pre-allocated to pool %s already".formatted(addresses, pool);
            case Repaired(var pool) ->
                "pods have addresses of pool %s that the SpiderSubnet does not note: they are noted again"
                        .formatted(pool);
            case SamePrefix(var pool, var subnet) ->
                "pool %s and SpiderSubnet %s have the same prefix".formatted(pool, subnet);
            case DroppedPreAllocation(var pool, var cause) ->
                "the pre-allocation of pool %s is dropped: %s".formatted(pool, cause.words);
            case ApplicationGone(var pool, var application) ->
                "pool %s is reclaimed: %s does not exist any more".formatted(pool, application);
            case SubnetGone(var pool, var subnet) -> "pool %s is deleted with SpiderSubnet %s".formatted(pool, subnet);
            case KeptForSuccessor(var pool) -> "pool %s stays for the next application of its name".formatted(pool);
        };
    }

    record LeftToReclaim(String pool, String uid) implements SubnetReason {}

    record Inherited(String pool, String uid) implements SubnetReason {}

    record Suited(String pool) implements SubnetReason {}

    record TookLowest(RangeSet addresses, String subnet) implements SubnetReason {}

    record GaveBackLowest(RangeSet addresses, String pool) implements SubnetReason {}

    /// A process stopped before it wrote the pool.
    record FoundPreAllocation(RangeSet addresses, String pool) implements SubnetReason {}

    /// A process stopped before it shrank the pool.
    record Repaired(String pool) implements SubnetReason {}

    record SamePrefix(String pool, String subnet) implements SubnetReason {}

    record DroppedPreAllocation(String pool, Cause cause) implements SubnetReason {

        /// Why it is.
        public enum Cause {
            POOL_GONE("there is no such pool"),
            APPLICATION_GONE("neither its pool nor its application exists"),
            INVALID("it names no application that there can be");

            private final String words;

            Cause(String words) {
                this.words = words;
            }
        }
    }

    record ApplicationGone(String pool, OwnerApplication application) implements SubnetReason {}

    record SubnetGone(String pool, String subnet) implements SubnetReason {}

    record KeptForSuccessor(String pool) implements SubnetReason {}
}
