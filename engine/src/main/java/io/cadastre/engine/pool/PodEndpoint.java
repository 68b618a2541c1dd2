package io.cadastre.engine.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a pod has, on which interface.
///
/// @param uid that of the pod it was written for
/// @param ownership whether it goes with that pod
public record PodEndpoint(
        PodKey key, String uid, String node, List<Nic> nics, TopController controller, Ownership ownership) {

    public PodEndpoint {
        nics = List.copyOf(nics);
    }

    /// An endpoint that goes with its pod.
    public PodEndpoint(PodKey key, String uid, String node, List<Nic> nics, TopController controller) {
        this(key, uid, node, nics, controller, Ownership.OWNED_BY_POD);
    }

    /// What the removal of a pod means for its endpoint.
    public enum Ownership {
        OWNED_BY_POD,

        /// It stays for the next pod that has its addresses.
        UNOWNED
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

    public PodEndpoint withNics(List<Nic> other) {
        return new PodEndpoint(key, uid, node, other, controller, ownership);
    }
}
