package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrChange.TakeBack;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What a synchronising mode knows of the cluster CIDR: what each node holds, what is reserved for it, and the
/// cursor.
///
/// A value, held in memory by the one process that leads. A new leader derives it from the nodes, and its cursor
/// starts over.
public final class SyncView {

    private final SyncMode mode;

    /// Each node with its CIDR and what is reserved for it.
    private final NodeCidrView holders;

    private final SortedIndex<String, Reservation> reserved;

    /// A CIDR that a node is being given.
    ///
    /// @param finished whether all of it has been written
    private record Reservation(Prefix cidr, boolean finished) {}

    private SyncView(SyncMode mode, NodeCidrView holders, SortedIndex<String, Reservation> reserved) {
        this.mode = mode;
        this.holders = holders;
        this.reserved = reserved;
    }

    /// Whether a mode can begin.
    public sealed interface Beginning {

        /// It can.
        ///
        /// @param empty the view before the nodes: what service ranges take
        /// @param tries how many used blocks were skipped to find that one is free
        record Ready(SyncView view, SyncView empty, int tries) implements Beginning {}

        /// The service ranges leave no block.
        record Refused(CidrSet.Next.NoneRemaining none) implements Beginning {
            public String sentence() {
                return "failed after occupy serviceCIDR: " + none.sentence();
            }
        }
    }

    /// The view of these nodes.
    ///
    /// Upstream tries whether there is a block left by taking one and giving it back, which moves the cursor. So
    /// the first node gets the second block.
    ///
    /// @param config of the first cluster CIDR alone
    public static Beginning begin(SyncMode mode, NodeCidrConfig config, Collection<CloudNode> nodes) {
        if (config.clusters().size() != 1) {
            throw new IllegalArgumentException("only one cluster CIDR is synchronised: " + config.clusters());
        }
        var empty = NodeCidrView.of(config, List.of(), Cursors.none()).sets().getFirst();
        return switch (empty.next()) {
            case CidrSet.Next.NoneRemaining none -> new Beginning.Refused(none);
            case CidrSet.Next.Took took -> {
                var entries = nodes.stream()
                        .map(node -> NodeEntry.of(node.name(), texts(held(node))))
                        .toList();
                var cursors = cursors(took.after());
                yield new Beginning.Ready(
                        new SyncView(mode, NodeCidrView.of(config, entries, cursors), SortedIndex.empty()),
                        new SyncView(mode, NodeCidrView.of(config, List.of(), cursors), SortedIndex.empty()),
                        took.tries());
            }
        };
    }

    private static Cursors cursors(CidrSet set) {
        return new Cursors(List.of(new Cursors.Cursor(set.cluster(), set.cursor())), 0);
    }

    private static List<Prefix> held(CloudNode node) {
        return node.podCidrRead().map(List::of).orElse(List.of());
    }

    private static List<String> texts(List<Prefix> prefixes) {
        return prefixes.stream().map(Prefix::toString).toList();
    }

    public SyncMode mode() {
        return mode;
    }

    /// The blocks of the cluster CIDR.
    public CidrSet set() {
        return holders.sets().getFirst();
    }

    /// What is reserved for the node.
    public Optional<Prefix> findReserved(String node) {
        return reserved.find(node).map(Reservation::cidr);
    }

    /// Whether an attempt of this view's owner gave the node this CIDR, or was about to, and did not come to its end.
    boolean unfinished(String node, Prefix cidr) {
        return reserved.find(node).equals(Optional.of(new Reservation(cidr, false)));
    }

    /// Another node that holds a part of the CIDR, the first by name.
    Optional<NodeEntry> findRival(String node, Prefix cidr) {
        return holders.nodes().stream()
                .filter(other -> !other.name().equals(node))
                .filter(other -> other.prefixes().stream().anyMatch(cidr::overlaps))
                .findFirst();
    }

    /// This after the node was seen as it is. A reservation ends when the attempt that made it has come to its end
    /// and the node has what was reserved.
    public SyncView seeing(CloudNode node) {
        boolean arrived = node.podCidrRead()
                .filter(cidr -> reserved.find(node.name()).equals(Optional.of(new Reservation(cidr, true))))
                .isPresent();
        return holding(node, arrived ? reserved.without(node.name()) : reserved);
    }

    /// This after all changes of an attempt have been written, down to the one that opens the network of the node.
    public SyncView finished(String node) {
        return reserved.find(node)
                .map(reservation ->
                        new SyncView(mode, holders, reserved.with(node, new Reservation(reservation.cidr(), true))))
                .orElse(this);
    }

    /// This with a reservation for the node in place of a former one, which becomes free.
    SyncView reserving(CloudNode node, Prefix cidr) {
        return holding(node, reserved.with(node.name(), new Reservation(cidr, false)));
    }

    /// This with the cursor of that set.
    SyncView at(CidrSet moved) {
        return new SyncView(mode, holders.with(new MoveCursors(cursors(moved))), reserved);
    }

    /// This after the cloud has refused to add what was reserved for the node. The cursor has moved on, so the
    /// next attempt takes another block and not the one that something unknown may hold.
    public SyncView withoutReservation(CloudNode node) {
        return holding(node, reserved.without(node.name()));
    }

    /// This without the node and what is reserved for it.
    public SyncView without(String node) {
        return new SyncView(mode, holders(node, List.of()), reserved.without(node));
    }

    private SyncView holding(CloudNode node, SortedIndex<String, Reservation> reservations) {
        var cidrs = new ArrayList<>(held(node));
        reservations
                .find(node.name())
                .map(Reservation::cidr)
                .filter(cidr -> !cidrs.contains(cidr))
                .ifPresent(cidrs::add);
        return new SyncView(mode, holders(node.name(), cidrs), reservations);
    }

    private NodeCidrView holders(String node, List<Prefix> cidrs) {
        var before = holders.find(node);
        if (before.map(NodeEntry::prefixes).orElse(List.of()).equals(cidrs)) {
            return holders;
        }
        var left = before.isPresent()
                ? holders.with(new TakeBack(node, before.get().prefixes()))
                : holders;
        return cidrs.isEmpty() ? left : left.with(new GiveCidrs(node, cidrs));
    }
}
