package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Patches that are under way, and those whose answer was lost: the server may yet apply them. A patch names a Node and
/// not which of those that have the name one after another, so it may reach one that was created since. These outlive
/// a leader term, as the patches do.
///
/// Not safe for several threads at once.
final class LateWrites {

    /// How long after its answer was lost a patch can still be applied: twice what an API server works on a request by
    /// default.
    static final Duration LATE_WRITE_MAX = Duration.ofMinutes(2);

    private final Map<String, List<LateWrite>> byNode = new HashMap<>();

    /// CIDRs that a Node may yet get.
    ///
    /// @param uid that of the Node that was meant
    /// @param underWay whether a patch of this process is not answered yet
    /// @param untilNanos when those that were not answered cannot be applied any more; empty if all were
    record LateWrite(String node, String uid, List<Prefix> cidrs, boolean underWay, Optional<Long> untilNanos) {

        /// Who holds the CIDRs, if not the Node: no name of a Node has blanks.
        String holder() {
            return "late write of %s to %s"
                    .formatted(
                            String.join(
                                    ",", cidrs.stream().map(Prefix::toString).toList()),
                            node);
        }

        private boolean over(long nowNanos) {
            return !underWay && untilNanos.filter(until -> nowNanos - until < 0).isEmpty();
        }
    }

    /// Patches are sent from now on.
    void begin(NodeEntry node, List<Prefix> cidrs) {
        var until = find(node.name(), cidrs).flatMap(LateWrite::untilNanos);
        put(new LateWrite(node.name(), node.uid(), List.copyOf(cidrs), true, until));
    }

    /// The answer to one of them was lost.
    void lose(String node, List<Prefix> cidrs, long nowNanos) {
        find(node, cidrs)
                .ifPresent(write -> put(new LateWrite(
                        node, write.uid(), write.cidrs(), true, Optional.of(nowNanos + LATE_WRITE_MAX.toNanos()))));
    }

    /// No more are sent.
    void end(String node, List<Prefix> cidrs) {
        find(node, cidrs)
                .ifPresent(write -> put(new LateWrite(node, write.uid(), write.cidrs(), false, write.untilNanos())));
    }

    private Optional<LateWrite> find(String node, List<Prefix> cidrs) {
        return of(node).stream().filter(write -> write.cidrs().equals(cidrs)).findFirst();
    }

    private void put(LateWrite write) {
        var others = new ArrayList<>(of(write.node()));
        others.removeIf(other -> other.cidrs().equals(write.cidrs()));
        others.add(write);
        byNode.put(write.node(), List.copyOf(others));
    }

    /// Whether one may yet be applied.
    boolean pending(long nowNanos) {
        return byNode.values().stream().flatMap(List::stream).anyMatch(write -> !write.over(nowNanos));
    }

    /// In the order in which they last changed.
    List<LateWrite> of(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    Collection<String> nodes() {
        return byNode.keySet();
    }

    /// Removes those that cannot be applied any more, and returns them.
    List<LateWrite> expire(String node, long nowNanos) {
        var all = of(node);
        var left = all.stream().filter(write -> !write.over(nowNanos)).toList();
        if (left.isEmpty()) {
            byNode.remove(node);
        } else {
            byNode.put(node, left);
        }
        return all.stream().filter(write -> write.over(nowNanos)).toList();
    }

    /// When the next one of this Node expires.
    Optional<Duration> untilNext(String node, long nowNanos) {
        return of(node).stream()
                .flatMap(write -> write.untilNanos().stream())
                .map(until -> Duration.ofNanos(Math.max(0, until - nowNanos)))
                .min(Duration::compareTo);
    }
}
