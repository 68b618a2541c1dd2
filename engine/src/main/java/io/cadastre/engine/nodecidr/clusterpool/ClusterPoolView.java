package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.nodecidr.CidrSetList;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Forget;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.GiveBack;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Occupy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Park;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.PassBy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Sync;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Take;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WriteError;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WritePodCidrs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What an operator knows during one term: the blocks of the cluster, what nodes have of them, and the nodes that
/// wait until all are known.
///
/// A value. The view after a change shares what the change left alone.
public final class ClusterPoolView {

    private final List<CidrSetList> families;
    private final SortedIndex<String, NodeHeld> known;
    private final List<ClusterPoolNode> parked;
    private final Phase phase;

    /// How much of the cluster an operator has seen.
    public enum Phase {
        /// Some nodes may not have been seen yet.
        LISTING,

        /// All nodes have been seen.
        SYNCED
    }

    private record NodeHeld(String node, List<Prefix> cidrs) {}

    private ClusterPoolView(
            List<CidrSetList> families,
            SortedIndex<String, NodeHeld> known,
            List<ClusterPoolNode> parked,
            Phase phase) {
        this.families = List.copyOf(families);
        this.known = known;
        this.parked = List.copyOf(parked);
        this.phase = phase;
    }

    /// One that has seen no node.
    ///
    /// @param families those of the cluster, IPv4 first
    public static ClusterPoolView empty(List<CidrSetList> families) {
        return new ClusterPoolView(families, SortedIndex.empty(), List.of(), Phase.LISTING);
    }

    public List<CidrSetList> families() {
        return families;
    }

    Optional<CidrSetList> find(Family family) {
        return families.stream().filter(list -> list.family() == family).findFirst();
    }

    /// The names of the nodes that have something, in their order.
    public List<String> nodes() {
        return known.values().stream().map(NodeHeld::node).toList();
    }

    /// What a node has, IPv4 first; empty if nothing is known of it.
    public List<Prefix> held(String node) {
        return known.find(node).map(NodeHeld::cidrs).orElse(List.of());
    }

    /// The nodes that wait, in the order in which they came.
    public List<ClusterPoolNode> parked() {
        return parked;
    }

    public Phase phase() {
        return phase;
    }

    /// Whether another node has a part of a CIDR.
    boolean isHeldByAnother(String node, Prefix cidr) {
        return heldByOthers(node).stream().anyMatch(cidr::overlaps);
    }

    private List<Prefix> heldByOthers(String node) {
        return known.values().stream()
                .filter(other -> !other.node().equals(node))
                .flatMap(other -> other.cidrs().stream())
                .toList();
    }

    /// The view as it is when the change has been taken.
    public ClusterPoolView with(ClusterPoolChange change) {
        return switch (change) {
            case Park(var node) ->
                withParked(Stream.concat(others(node.name()), Stream.of(node)).toList());
            case Forget(var node) -> withParked(others(node).toList());
            case Sync() -> new ClusterPoolView(families, known, List.of(), Phase.SYNCED);
            case Take(var node, var blocks) -> withMore(node, blocks).withCursorsBehind(blocks);
            case PassBy(var block) -> withCursorsBehind(List.of(block));
            case Occupy(var node, var cidrs) -> withMore(node, cidrs);
            case GiveBack(var node, var cidrs) -> without(node, cidrs);
            case WritePodCidrs _, WriteError _ -> this;
        };
    }

    private Stream<ClusterPoolNode> others(String node) {
        return parked.stream().filter(other -> !other.name().equals(node));
    }

    private ClusterPoolView withParked(List<ClusterPoolNode> nodes) {
        return new ClusterPoolView(families, known, nodes, phase);
    }

    private ClusterPoolView withMore(String node, List<Prefix> cidrs) {
        var all = new ArrayList<>(held(node));
        all.addAll(cidrs);
        all.sort((one, other) -> one.family().compareTo(other.family()));
        var marked = families.stream().map(list -> list.withUsed(cidrs)).toList();
        return new ClusterPoolView(marked, known.with(node, new NodeHeld(node, List.copyOf(all))), parked, phase);
    }

    private ClusterPoolView without(String node, List<Prefix> cidrs) {
        var left = heldByOthers(node);
        var freed = families.stream().map(list -> list.withUnused(cidrs, left)).toList();
        return new ClusterPoolView(freed, known.without(node), parked, phase);
    }

    private ClusterPoolView withCursorsBehind(List<Prefix> blocks) {
        var moved = families;
        for (var block : blocks) {
            moved = moved.stream()
                    .map(list -> list.family() == block.family() ? list.withCursorBehind(block) : list)
                    .toList();
        }
        return new ClusterPoolView(moved, known, parked, phase);
    }

    @Override
    public String toString() {
        return "%s, %d nodes, %d waiting, %s".formatted(phase, known.size(), parked.size(), families);
    }
}
