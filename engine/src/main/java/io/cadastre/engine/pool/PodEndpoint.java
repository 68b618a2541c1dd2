package io.cadastre.engine.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a pod has, on which interface.
///
/// @param uid that of the pod it was written for
public record PodEndpoint(PodKey key, String uid, String node, List<Nic> nics, TopController controller) {

    public PodEndpoint {
        nics = List.copyOf(nics);
    }

    public Optional<Nic> find(String name) {
        return nics.stream().filter(nic -> nic.name().equals(name)).findFirst();
    }

    /// Whether there is an interface that is not claimed.
    boolean hasUnclaimed() {
        return find("").isPresent();
    }

    /// This, with the first unclaimed interface claimed.
    PodEndpoint claimedBy(String name) {
        var claimed = new ArrayList<>(nics);
        var first = find("").orElseThrow();
        claimed.set(nics.indexOf(first), first.claimedBy(name));
        return withNics(claimed);
    }

    PodEndpoint withNics(List<Nic> other) {
        return new PodEndpoint(key, uid, node, other, controller);
    }
}
