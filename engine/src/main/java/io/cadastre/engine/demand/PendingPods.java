package io.cadastre.engine.demand;

import io.cadastre.address.Family;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// The pods that wait for an address of a pool, and how long they count.
///
/// A value. A pod that asks again counts once, for longer.
public record PendingPods(List<Waiting> waiting) {

    /// How long a pod counts after it asked last.
    public static final Duration COUNTED = Duration.ofMinutes(5);

    /// A node has some hundred pods. Of more, the one that asked longest ago counts no more.
    public static final int WAITING_MAX = 4096;

    /// A pod that asked.
    ///
    /// @param owner the pod, as NAMESPACE/NAME, or a use of the node itself
    public record Waiting(String pool, Family family, String owner, Instant until) {

        private boolean sameAs(Waiting other) {
            return pool.equals(other.pool) && family == other.family && owner.equals(other.owner);
        }
    }

    public PendingPods {
        waiting = List.copyOf(waiting);
        if (waiting.size() > WAITING_MAX) {
            throw new IllegalArgumentException("%d pods are more than %d".formatted(waiting.size(), WAITING_MAX));
        }
    }

    public static PendingPods none() {
        return new PendingPods(List.of());
    }

    /// After a pod asked in vain.
    public PendingPods with(String pool, Family family, String owner, Instant now) {
        var asked = new Waiting(pool, family, owner, now.plus(COUNTED));
        var more = new ArrayList<>(
                waiting.stream().filter(other -> !other.sameAs(asked)).toList());
        if (more.size() == WAITING_MAX) {
            more.remove(more.stream().min(Comparator.comparing(Waiting::until)).orElseThrow());
        }
        more.add(asked);
        return new PendingPods(more);
    }

    /// After a pod got its address.
    public PendingPods without(String pool, Family family, String owner) {
        var served = new Waiting(pool, family, owner, Instant.EPOCH);
        return new PendingPods(
                waiting.stream().filter(other -> !other.sameAs(served)).toList());
    }

    /// Without those that count no more.
    public PendingPods at(Instant now) {
        return new PendingPods(
                waiting.stream().filter(one -> one.until().isAfter(now)).toList());
    }

    public int count(String pool, Family family) {
        return (int) waiting.stream()
                .filter(one -> one.pool().equals(pool) && one.family() == family)
                .count();
    }

    SortedSet<String> pools() {
        var pools = new TreeSet<String>();
        waiting.forEach(one -> pools.add(one.pool()));
        return pools;
    }
}
