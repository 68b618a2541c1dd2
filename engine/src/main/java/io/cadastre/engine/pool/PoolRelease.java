package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.engine.Outcome;
import java.util.List;
import java.util.stream.Collectors;

/// What giving back came to.
public sealed interface PoolRelease extends Outcome {

    @Override
    default String sentence() {
        return switch (this) {
            case Released(var addresses) ->
                addresses.isEmpty()
                        ? "no pool had an address of the pod"
                        : "released "
                                + addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
            case Kept(var why) -> "nothing is released: " + why.words();
            case Refused(var refusal) -> "refused: " + refusal.sentence();
        };
    }

    /// The pod has nothing any more.
    ///
    /// @param addresses those whose records were removed
    record Released(List<Address> addresses) implements PoolRelease {
        public Released {
            addresses = List.copyOf(addresses);
        }
    }

    /// All is as it was, and that is right.
    record Kept(Why why) implements PoolRelease {}

    record Refused(PoolRefusal refusal) implements PoolRelease {}

    /// Why nothing is given back.
    enum Why {
        POD_LIVES("the pod lives and keeps its addresses"),
        NO_UID("the pod is gone and its uid is unknown"),
        NO_ENDPOINT("the pod has no endpoint"),
        OTHER_UID("the endpoint is of another pod of that name"),
        NO_SUCH_NIC("the endpoint has no such interface"),
        SUCCESSOR_EXPECTED("its addresses stay for the pod that follows it");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}
