package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.Outcome;
import java.util.List;

/// What a request to this law came to.
public sealed interface SubnetOutcome extends Outcome {

    @Override
    default String sentence() {
        return switch (this) {
            case Ready(var pool, var addresses) ->
                "pool %s has %s".formatted(pool, addresses.empty() ? "no address" : addresses);
            case Refused(var refusal) -> "refused: " + refusal.sentence();
            case Tended(var rest, var pools) ->
                rest == Rest.NOTHING && pools.isEmpty()
                        ? "the status is up to date"
                        : pools.isEmpty()
                                ? "more is to be done after this"
                                : "each on its own is yet to be looked after: " + String.join(", ", pools);
            case Reclaimed(var pools) ->
                pools.isEmpty() ? "no pool is reclaimed" : "deletes " + String.join(", ", pools);
        };
    }

    /// The application has its pool.
    record Ready(String pool, RangeSet addresses) implements SubnetOutcome {}

    record Refused(SubnetRefusal refusal) implements SubnetOutcome {}

    /// A subnet was looked after.
    ///
    /// @param rest what is left to do to the subnet itself
    /// @param pools those that it is to control or to delete, each by a decision of its own: one that may not be
    ///     written holds up no other
    record Tended(Rest rest, List<String> pools) implements SubnetOutcome {
        public Tended {
            pools = List.copyOf(pools);
        }
    }

    /// Pools whose deletion begins.
    record Reclaimed(List<String> pools) implements SubnetOutcome {
        public Reclaimed {
            pools = List.copyOf(pools);
        }
    }

    /// What is left to do once all changes are written.
    enum Rest {
        NOTHING,
        /// A further decision of the same kind.
        MORE,
        /// The label by which pools find it.
        LABEL
    }
}
