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
            case Tended(var rest) ->
                rest == Rest.NOTHING ? "the status is up to date" : "more is to be done after this";
            case Reclaimed(var pools) ->
                pools.isEmpty() ? "no pool is reclaimed" : "deletes " + String.join(", ", pools);
        };
    }

    /// The application has its pool.
    record Ready(String pool, RangeSet addresses) implements SubnetOutcome {}

    record Refused(SubnetRefusal refusal) implements SubnetOutcome {}

    /// A subnet was looked after.
    record Tended(Rest rest) implements SubnetOutcome {}

    /// Pools whose deletion begins.
    record Reclaimed(List<String> pools) implements SubnetOutcome {
        public Reclaimed {
            pools = List.copyOf(pools);
        }
    }

    /// What is left to do once all changes are written.
    enum Rest {
        NOTHING,
        MORE
    }
}
