package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrChange.TakeBack;
import io.cadastre.engine.nodecidr.NodeCidrReason.Foreign;
import io.cadastre.engine.nodecidr.NodeCidrReason.Misfit;
import io.cadastre.engine.nodecidr.NodeCidrReason.NoSuchCluster;
import io.cadastre.engine.nodecidr.NodeCidrReason.Unreadable;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.HeldElsewhere;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// All that this law may look at: the configuration, the nodes and the cursors, and the sets that
/// follow from them.
///
/// The sets are never stored. A block is used because a service range or a node touches it, whatever
/// the mask was when the node got its CIDR and at whichever place it stands among the node's CIDRs. So
/// a block of which two nodes hold a half is used until both are gone, and what was read wrongly once
/// is right again at the next reading.
///
/// A value. The view after a change shares what the change left alone, so that many decisions combined
/// in one commit do not each pay for all nodes. Only where blocks are shared, or a node does not fit,
/// is the view after a removal built anew.
public final class NodeCidrView {

    private final NodeCidrConfig config;
    private final SortedIndex<String, NodeEntry> nodes;
    private final Cursors cursors;
    private final Occupancy occupancy;

    /// What others hold of the ranges that the next assignment takes.
    private final List<HeldElsewhere> rivals;

    private NodeCidrView(
            NodeCidrConfig config,
            SortedIndex<String, NodeEntry> nodes,
            Cursors cursors,
            Occupancy occupancy,
            List<HeldElsewhere> rivals) {
        this.config = config;
        this.nodes = nodes;
        this.cursors = cursors;
        this.occupancy = occupancy;
        this.rivals = rivals;
    }

    /// The view of these nodes.
    ///
    /// @throws IllegalArgumentException if two of them have one name
    public static NodeCidrView of(NodeCidrConfig config, Collection<NodeEntry> nodes, Cursors cursors) {
        var byName = SortedIndex.<String, NodeEntry>empty();
        for (var node : nodes) {
            byName = byName.with(node.name(), node);
        }
        if (byName.size() < nodes.size()) {
            throw new IllegalArgumentException("two nodes have one name");
        }
        return build(config, byName, cursors, List.of());
    }

    private static NodeCidrView build(
            NodeCidrConfig config, SortedIndex<String, NodeEntry> nodes, Cursors cursors, List<HeldElsewhere> rivals) {
        return new NodeCidrView(config, nodes, cursors, Occupancy.of(config, nodes, cursors), rivals);
    }

    /// This view in a store that others share.
    ///
    /// @param others the ranges that they hold
    /// @param taken the cluster CIDRs and service ranges of the configuration that are not kept from them yet
    public NodeCidrView beside(List<Holding> others, List<Prefix> taken) {
        var clusters = config.clusters().stream().map(Subdivision::whole).toList();
        var found = taken.stream()
                .flatMap(range -> others.stream()
                        .filter(other -> other.range().overlaps(range.range()))
                        .map(other -> new HeldElsewhere(range, clusters.contains(range), other)))
                .toList();
        return new NodeCidrView(config, nodes, cursors, occupancy, found);
    }

    public NodeCidrConfig config() {
        return config;
    }

    /// The nodes in the order of their names.
    public List<NodeEntry> nodes() {
        return nodes.values();
    }

    public Optional<NodeEntry> find(String node) {
        return nodes.find(node);
    }

    public Cursors cursors() {
        return cursors;
    }

    /// What another holds of a range that the next assignment takes.
    Optional<HeldElsewhere> rival() {
        return rivals.stream().findFirst();
    }

    /// One set for each cluster CIDR, in their order.
    public List<CidrSet> sets() {
        return occupancy.sets;
    }

    /// The first fault of each node that does not fit the configuration, in the order of their names.
    public List<Misfit> misfits() {
        return occupancy.misfits;
    }

    /// Why this node does not fit the configuration, if it does not.
    Optional<Misfit> misfit(NodeEntry node) {
        return Occupancy.misfit(node, config.clusters());
    }

    /// Whether each used block is used for one reason and every node fits, so that a removed node
    /// leaves exactly its blocks free.
    boolean exact() {
        return !occupancy.shared && occupancy.misfits.isEmpty();
    }

    /// Pairs of nodes that hold the same addresses.
    public List<TwoHolders> heldTwice() {
        return occupancy.heldTwice;
    }

    /// The view as it is when the change has been written.
    ///
    /// @throws IllegalStateException if the change does not follow from this view
    public NodeCidrView with(NodeCidrChange change) {
        return switch (change) {
            case MoveCursors(var moved) -> new NodeCidrView(config, nodes, moved, occupancy.at(moved), rivals);
            case GiveCidrs give -> withGift(give);
            case TakeBack(var node, var _) -> without(node);
        };
    }

    private NodeCidrView withGift(GiveCidrs give) {
        var before = find(give.node()).orElse(NodeEntry.of(give.node(), List.of()));
        if (!before.podCidrs().isEmpty()) {
            throw new IllegalStateException(
                    "node %s is given CIDRs and has %s".formatted(before.name(), before.podCidrs()));
        }
        var after = before.withCidrs(give.cidrs());
        if (find(give.node()).isEmpty()) {
            after = after.withUid(uid(give.node()));
        }
        var changed = nodes.with(after.name(), after);
        return occupancy
                .withBlocks(give.cidrs())
                .map(taken -> new NodeCidrView(config, changed, cursors, taken, rivals))
                .orElseGet(() -> build(config, changed, cursors, rivals));
    }

    /// This view with a node as it was seen, in the place of what was known of it.
    public NodeCidrView withSeen(NodeEntry seen) {
        var known = find(seen.name());
        var changed = nodes.with(seen.name(), seen);
        if (known.isPresent() && known.get().podCidrs().equals(seen.podCidrs())) {
            return new NodeCidrView(config, changed, cursors, occupancy, rivals);
        }
        if (known.isPresent() && !known.get().podCidrs().isEmpty()) {
            return withoutNode(seen.name()).withSeen(seen);
        }
        boolean fits = misfit(seen).isEmpty();
        return (fits ? occupancy.withBlocks(seen.prefixes()) : Optional.<Occupancy>empty())
                .map(taken -> new NodeCidrView(config, changed, cursors, taken, rivals))
                .orElseGet(() -> build(config, changed, cursors, rivals));
    }

    /// This view without a node, whether it was known or not.
    public NodeCidrView withoutNode(String name) {
        return find(name).isPresent() ? without(name) : this;
    }

    /// No other node of the name has it, since every assignment counts.
    private String uid(String name) {
        return "%s.%d".formatted(name, cursors.assignments());
    }

    private NodeCidrView without(String name) {
        var node = find(name)
                .orElseThrow(() -> new IllegalStateException("node %s is removed and is not there".formatted(name)));
        var changed = nodes.without(name);
        return exact()
                ? new NodeCidrView(config, changed, cursors, occupancy.without(node.prefixes()), rivals)
                : build(config, changed, cursors, rivals);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeCidrView that
                && config.equals(that.config)
                && cursors.equals(that.cursors)
                && nodes().equals(that.nodes());
    }

    @Override
    public int hashCode() {
        return Objects.hash(config, cursors, nodes.size());
    }

    @Override
    public String toString() {
        return "%d nodes, %s".formatted(nodes.size(), sets());
    }

    /// What follows from configuration, nodes and cursors.
    ///
    /// @param shared whether some block is used for more than one reason, so that it does not become
    ///     free with one of them
    private record Occupancy(List<CidrSet> sets, List<Misfit> misfits, List<TwoHolders> heldTwice, boolean shared) {

        static Occupancy of(NodeCidrConfig config, SortedIndex<String, NodeEntry> nodes, Cursors cursors) {
            var entries = nodes.values();
            var prefixes = new ArrayList<Prefix>(config.serviceRanges());
            var misfits = new ArrayList<Misfit>();
            for (var node : entries) {
                prefixes.addAll(node.prefixes());
                misfit(node, config.clusters()).ifPresent(misfits::add);
            }
            var sets = new ArrayList<CidrSet>();
            boolean shared = false;
            for (var cluster : config.clusters()) {
                var empty = CidrSet.empty(cluster).at(cursors.at(cluster));
                var runs = runs(empty, prefixes);
                var marked = empty.occupy(runs);
                sets.add(marked.after());
                shared |= runs.stream().mapToLong(Reach.Blocks::count).sum() > marked.flipped();
            }
            // Within a set nothing is held twice without a shared block, and outside of the sets there
            // are only misfits.
            var heldTwice = shared || !misfits.isEmpty() ? heldTwice(config, entries) : List.<TwoHolders>of();
            return new Occupancy(List.copyOf(sets), List.copyOf(misfits), heldTwice, shared);
        }

        private static List<Reach.Blocks> runs(CidrSet set, List<Prefix> prefixes) {
            var runs = new ArrayList<Reach.Blocks>();
            for (var prefix : prefixes) {
                if (set.reach(prefix) instanceof Reach.Blocks blocks) {
                    runs.add(blocks);
                }
            }
            return runs;
        }

        /// What upstream says when it cannot occupy the CIDRs of a node. It compares each with the
        /// cluster CIDR at the same place and stops at the first that does not fit.
        private static Optional<Misfit> misfit(NodeEntry node, List<Subdivision> clusters) {
            for (int index = 0; index < node.podCidrs().size(); index++) {
                var text = node.podCidrs().get(index);
                var read = NodeEntry.read(text);
                if (read.isEmpty()) {
                    return Optional.of(
                            new Unreadable(node.name(), node.podCidrs().getFirst()));
                }
                if (index >= clusters.size()) {
                    return Optional.of(new NoSuchCluster(node.name(), text, index));
                }
                var whole = clusters.get(index).whole();
                if (!whole.overlaps(read.get())) {
                    return Optional.of(new Foreign(node.name(), index, new Reach.Outside(read.get(), whole)));
                }
            }
            return Optional.empty();
        }

        private static List<TwoHolders> heldTwice(NodeCidrConfig config, List<NodeEntry> entries) {
            var holdings = new ArrayList<Holding>(NodeCidrHoldings.ofServiceRanges(config));
            for (var node : entries) {
                holdings.addAll(NodeCidrHoldings.of(node.name(), node.prefixes()));
            }
            return Survey.of(holdings).stream()
                    .filter(TwoHolders.class::isInstance)
                    .map(TwoHolders.class::cast)
                    .toList();
        }

        Occupancy at(Cursors cursors) {
            return withSets(
                    sets.stream().map(set -> set.at(cursors.at(set.cluster()))).toList());
        }

        /// This with the blocks used, or empty if they are not free blocks of these sets, one each.
        Optional<Occupancy> withBlocks(List<Prefix> blocks) {
            if (blocks.size() > sets.size()) {
                return Optional.empty();
            }
            var after = new ArrayList<>(sets);
            for (int index = 0; index < blocks.size(); index++) {
                var set = sets.get(index);
                var block = blocks.get(index);
                boolean oneFreeBlock = set.reach(block) instanceof Reach.Blocks reach
                        && set.block(reach.first()).equals(block)
                        && !set.uses(reach.first());
                if (!oneFreeBlock) {
                    return Optional.empty();
                }
                after.set(index, set.occupy(runs(set, List.of(block))).after());
            }
            return Optional.of(withSets(after));
        }

        Occupancy without(List<Prefix> prefixes) {
            var after = new ArrayList<CidrSet>();
            for (var set : sets) {
                var left = set;
                for (var run : runs(set, prefixes)) {
                    left = left.release(run).after();
                }
                after.add(left);
            }
            return withSets(after);
        }

        private Occupancy withSets(List<CidrSet> others) {
            return new Occupancy(List.copyOf(others), misfits, heldTwice, shared);
        }
    }
}
