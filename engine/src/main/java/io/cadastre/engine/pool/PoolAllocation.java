package io.cadastre.engine.pool;

import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.Outcome;
import java.util.List;
import java.util.stream.Collectors;

/// What a request for addresses came to.
public sealed interface PoolAllocation extends Outcome, MayRefuse {

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }

    @Override
    default String sentence() {
        return switch (this) {
            case Allocated(var nics) ->
                nics.isEmpty()
                        ? "the pod has no NIC with addresses"
                        : nics.stream().map(PoolAllocation::words).collect(Collectors.joining("; "));
            case Refused(var refusal) -> "refused: " + refusal.sentence();
        };
    }

    private static String words(Nic nic) {
        var addresses = nic.addresses().stream()
                .map(taken -> "%s of pool %s".formatted(taken.text(), taken.pool()))
                .collect(Collectors.joining(" and "));
        return "NIC %s has %s"
                .formatted(
                        nic.name().isEmpty() ? "without a name" : nic.name(),
                        addresses.isEmpty() ? "no address" : addresses);
    }

    /// The pod has these, newly or as before. There may be interfaces that were not requested yet.
    record Allocated(List<Nic> nics) implements PoolAllocation {
        public Allocated {
            nics = List.copyOf(nics);
        }
    }

    record Refused(PoolRefusal refusal) implements PoolAllocation {}
}
