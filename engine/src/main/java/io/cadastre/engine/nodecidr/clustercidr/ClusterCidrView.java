package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.AddFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.AwaitFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Confirm;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.CreateObject;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.GiveBack;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Hold;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.NoteFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Register;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Release;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.RemoveFinalizer;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Reserve;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Terminate;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Unregister;
import io.cadastre.engine.nodecidr.clustercidr.HeldPrefixes.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// All that this law may look at: the ClusterCIDRs in the order in which they came, what nodes have and
/// what is reserved for them.
///
/// A controller begins with an empty one and derives everything from the objects of the cluster, the
/// cursors excepted, which begin at the first block.
///
/// A value. A view after a change shares with the one before it what the change left alone: of 5,000
/// nodes a change copies a path, of the blocks the bitmaps of the ClusterCIDRs that it touches.
public final class ClusterCidrView {

    private final List<Prefix> serviceRanges;
    private final List<ClusterCidrEntry> entries;
    private final SortedIndex<String, NodeHold> holds;
    private final SortedIndex<String, Reservation> reservations;
    private final HeldPrefixes held;

    private ClusterCidrView(
            List<Prefix> serviceRanges,
            List<ClusterCidrEntry> entries,
            SortedIndex<String, NodeHold> holds,
            SortedIndex<String, Reservation> reservations,
            HeldPrefixes held) {
        this.serviceRanges = List.copyOf(serviceRanges);
        this.entries = List.copyOf(entries);
        this.holds = holds;
        this.reservations = reservations;
        this.held = held;
    }

    /// A view without ClusterCIDRs and nodes.
    ///
    /// @param serviceRanges what no node may get, now and out of any ClusterCIDR that comes later
    public static ClusterCidrView empty(List<Prefix> serviceRanges) {
        return new ClusterCidrView(
                serviceRanges, List.of(), SortedIndex.empty(), SortedIndex.empty(), HeldPrefixes.none());
    }

    public List<Prefix> serviceRanges() {
        return serviceRanges;
    }

    /// The ClusterCIDRs in use, in the order in which they came.
    public List<ClusterCidrEntry> entries() {
        return entries;
    }

    public Optional<ClusterCidrEntry> findEntry(String clusterCidr) {
        return entries.stream()
                .filter(entry -> entry.name().equals(clusterCidr))
                .findFirst();
    }

    /// What nodes have, in the order of their names.
    public List<NodeHold> holds() {
        return holds.values();
    }

    public Optional<NodeHold> findHold(String node) {
        return holds.find(node);
    }

    /// What is on its way to nodes, in the order of their names.
    public List<Reservation> reservations() {
        return reservations.values();
    }

    public Optional<Reservation> findReservation(String node) {
        return reservations.find(node);
    }

    HeldPrefixes held() {
        return held;
    }

    /// The view as it is when the step has been taken.
    ///
    /// @throws IllegalStateException if the step does not follow from this view
    public ClusterCidrView with(ClusterCidrChange change) {
        return switch (change) {
            case Reserve(var reservation) -> withReservation(reservation);
            case Confirm(var reservation) -> withoutReservation(reservation).withHold(confirmed(reservation));
            case GiveBack(var reservation) -> withoutReservation(reservation);
            case Hold(var hold) -> withHold(hold);
            case Release(var hold) -> withoutHold(hold.node());
            case Register(var clusterCidr) -> withEntry(clusterCidr);
            case Terminate(var name) -> withClusterCidr(name, ClusterCidr::withTermination);
            case AwaitFinalizer(var name) -> withClusterCidr(name, found -> found.withFinalizer(false));
            case NoteFinalizer(var name) -> withClusterCidr(name, found -> found.withFinalizer(true));
            case Unregister(var name) -> withoutEntry(name);
            case AddFinalizer(var name) -> withClusterCidr(name, found -> found.withFinalizer(true));
            case RemoveFinalizer(var name) -> withClusterCidr(name, found -> found.withFinalizer(false));
            case CreateObject _ -> this;
        };
    }

    private ClusterCidrView withReservation(Reservation reservation) {
        var node = reservation.node();
        if (findReservation(node).isPresent()) {
            throw new IllegalStateException("blocks are already reserved for node %s".formatted(node));
        }
        var entry = findEntry(reservation.clusterCidr())
                .orElseThrow(() -> new IllegalStateException(
                        "there is no ClusterCIDR %s to reserve blocks of".formatted(reservation.clusterCidr())));
        if (!entry.spans(reservation.blocks())) {
            throw new IllegalStateException("%s are not blocks of %s".formatted(reservation.blocks(), entry));
        }
        for (var block : reservation.blocks()) {
            var holders = held.overlapping(block);
            if (!holders.isEmpty()) {
                throw new IllegalStateException("%s of node %s overlaps %s".formatted(block, node, holders.getFirst()));
            }
        }
        return withMarks(node, reservation.blocks(), true)
                .withChanged(
                        reservation.clusterCidr(),
                        found -> found.withCursorsBehind(reservation.blocks()).withNode(node))
                .withReservations(reservations.with(node, reservation));
    }

    /// The hold that a reservation becomes. Its ClusterCIDR may have vanished meanwhile, or another one may
    /// have its name.
    private NodeHold confirmed(Reservation reservation) {
        var hold = reservation.confirmed();
        boolean fits = findEntry(hold.clusterCidr())
                .filter(entry -> entry.spans(hold.cidrs()))
                .isPresent();
        return fits ? hold : hold.withoutAssociation();
    }

    private ClusterCidrView withoutReservation(Reservation reservation) {
        var node = reservation.node();
        var found = findReservation(node)
                .filter(one -> one.blocks().equals(reservation.blocks()))
                .orElseThrow(() -> new IllegalStateException(
                        "%s is not reserved for node %s".formatted(reservation.blocks(), node)));
        boolean stays = findHold(node)
                .filter(hold -> hold.clusterCidr().equals(found.clusterCidr()))
                .isPresent();
        return withoutMarks(node, found.blocks(), true)
                .withChanged(found.clusterCidr(), entry -> stays ? entry : entry.withoutNode(node))
                .withReservations(reservations.without(node));
    }

    private ClusterCidrView withHold(NodeHold hold) {
        var node = hold.node();
        var before = findHold(node).isPresent() ? withoutHold(node) : this;
        if (hold.associated() && before.findEntry(hold.clusterCidr()).isEmpty()) {
            throw new IllegalStateException(
                    "node %s has CIDRs of ClusterCIDR %s, which is not in use".formatted(node, hold.clusterCidr()));
        }
        return before.withMarks(node, hold.cidrs(), false)
                .withChanged(hold.clusterCidr(), entry -> entry.withNode(node))
                .withHolds(before.holds.with(node, hold));
    }

    private ClusterCidrView withoutHold(String node) {
        var hold = findHold(node)
                .orElseThrow(() -> new IllegalStateException("node %s has nothing to take back".formatted(node)));
        boolean stays = findReservation(node)
                .filter(reservation -> reservation.clusterCidr().equals(hold.clusterCidr()))
                .isPresent();
        return withoutMarks(node, hold.cidrs(), false)
                .withChanged(hold.clusterCidr(), entry -> stays ? entry : entry.withoutNode(node))
                .withHolds(holds.without(node));
    }

    private ClusterCidrView withEntry(ClusterCidr clusterCidr) {
        if (findEntry(clusterCidr.name()).isPresent()) {
            throw new IllegalStateException("ClusterCIDR %s is already in use".formatted(clusterCidr.name()));
        }
        var fresh = ClusterCidrEntry.of(clusterCidr);
        var used = new ArrayList<>(serviceRanges);
        for (var set : fresh.sets()) {
            held.overlapping(set.cluster().whole()).stream().map(Held::prefix).forEach(used::add);
        }
        var more = new ArrayList<>(entries);
        more.add(fresh.withUsed(used));
        return new ClusterCidrView(serviceRanges, more, holds, reservations, held);
    }

    private ClusterCidrView withoutEntry(String name) {
        var entry = findEntry(name)
                .orElseThrow(() -> new IllegalStateException("ClusterCIDR %s is not in use".formatted(name)));
        var released = holds;
        for (var node : entry.nodes()) {
            var hold = holds.find(node).filter(one -> one.clusterCidr().equals(name));
            if (hold.isPresent()) {
                released = released.with(node, hold.get().withoutAssociation());
            }
        }
        var fewer = entries.stream().filter(one -> !one.name().equals(name)).toList();
        return new ClusterCidrView(serviceRanges, fewer, released, reservations, held);
    }

    private ClusterCidrView withClusterCidr(String name, UnaryOperator<ClusterCidr> change) {
        return withChanged(name, entry -> entry.withClusterCidr(change.apply(entry.clusterCidr())));
    }

    private ClusterCidrView withMarks(String node, List<Prefix> cidrs, boolean reserved) {
        var more = held;
        for (var cidr : cidrs) {
            more = more.with(new Held(cidr, node, reserved));
        }
        var marked = entries.stream()
                .map(entry -> cidrs.stream().anyMatch(entry::touches) ? entry.withUsed(cidrs) : entry)
                .toList();
        return new ClusterCidrView(serviceRanges, marked, holds, reservations, more);
    }

    private ClusterCidrView withoutMarks(String node, List<Prefix> cidrs, boolean reserved) {
        var fewer = held;
        for (var cidr : cidrs) {
            fewer = fewer.without(new Held(cidr, node, reserved));
        }
        var left = fewer;
        var marked = entries.stream()
                .map(entry ->
                        cidrs.stream().anyMatch(entry::touches) ? entry.withUnused(cidrs, left, serviceRanges) : entry)
                .toList();
        return new ClusterCidrView(serviceRanges, marked, holds, reservations, left);
    }

    /// With one entry changed, if there is one of the name.
    private ClusterCidrView withChanged(String name, UnaryOperator<ClusterCidrEntry> change) {
        var changed = entries.stream()
                .map(entry -> entry.name().equals(name) ? change.apply(entry) : entry)
                .toList();
        return new ClusterCidrView(serviceRanges, changed, holds, reservations, held);
    }

    private ClusterCidrView withHolds(SortedIndex<String, NodeHold> others) {
        return new ClusterCidrView(serviceRanges, entries, others, reservations, held);
    }

    private ClusterCidrView withReservations(SortedIndex<String, Reservation> others) {
        return new ClusterCidrView(serviceRanges, entries, holds, others, held);
    }

    @Override
    public String toString() {
        return "%d nodes, %d reservations, %s".formatted(holds.size(), reservations.size(), entries);
    }
}
