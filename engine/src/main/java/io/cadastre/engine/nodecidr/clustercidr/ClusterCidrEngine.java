package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
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
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.AndMore;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.AnotherNode;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.AnotherObject;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Chose;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.FinalizerAwaited;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.GivesNothing;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.HeldTwice;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Modified;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.NoneRemaining;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.NotSpanned;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Overlapped;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.SelectorMismatch;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.StillHeld;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.StillReserved;
import io.cadastre.engine.nodecidr.clustercidr.Registration.Registered;
import io.cadastre.engine.nodecidr.clustercidr.Registration.Unusable;
import io.cadastre.engine.nodecidr.clustercidr.Retirement.InUse;
import io.cadastre.engine.nodecidr.clustercidr.Retirement.Retired;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Gives each node a block of each family of the first ClusterCIDR that suits it and has them, the way the
/// MultiCIDRRangeAllocator of Kubernetes does.
///
/// The caller takes the changes of a decision in their order and stops at one that fails; what is decided
/// next goes on from there. Decisions about one node, and those about one ClusterCIDR, are taken one after
/// the other.
public final class ClusterCidrEngine {

    /// Of each kind of reason, a decision names this many.
    private static final int REASONS_MAX = 16;

    /// Where no block is left, this many blocks are looked at to find one that others use.
    private static final int LOOKS_MAX = 16;

    private ClusterCidrEngine() {}

    /// Creates the ClusterCIDR that the flags stand for, unless there is one of its name already.
    ///
    /// @param existing all of the cluster
    public static Decision<ClusterCidrChange, Registration> createDefault(
            List<ClusterCidr> existing, NodeCidrConfig config) {
        var wanted = DefaultClusterCidr.of(config);
        if (existing.stream().anyMatch(one -> one.name().equals(wanted.name()))) {
            return new Decision<>(new Registered(wanted.name()), List.of(), List.of());
        }
        var fault = ClusterCidrEntry.fault(wanted.spec());
        return fault.<Decision<ClusterCidrChange, Registration>>map(
                        text -> new Decision<>(new Unusable(wanted.name(), text), List.of(), List.of()))
                .orElseGet(() -> new Decision<>(
                        new Registered(wanted.name()),
                        List.of(new CreateObject(wanted.withFinalizer(true))),
                        List.of()));
    }

    /// Takes in what a controller finds at its start: first all ClusterCIDRs, those that are being deleted
    /// too, then what the nodes have. One without a finalizer gives nothing before it is registered with it.
    ///
    /// @param view an empty one
    public static Decision<ClusterCidrChange, Bootstrap> start(
            ClusterCidrView view, List<ClusterCidr> clusterCidrs, List<LabeledNode> nodes) {
        var changes = new ArrayList<ClusterCidrChange>();
        var because = new ArrayList<Because>();
        var unusable = new ArrayList<Unusable>();
        var refused = new ArrayList<NodeBlocks.Refused>();
        var after = view;
        for (var clusterCidr : clusterCidrs) {
            boolean awaited = !clusterCidr.finalizer() && !clusterCidr.terminating();
            var decision = register(after, awaited ? clusterCidr.withFinalizer(true) : clusterCidr);
            after = collect(after, decision, changes, because);
            if (decision.outcome() instanceof Unusable fault) {
                unusable.add(fault);
            } else if (awaited) {
                var await = new AwaitFinalizer(clusterCidr.name());
                changes.add(await);
                after = after.with(await);
            }
        }
        for (var node : nodes) {
            if (!node.entry().podCidrs().isEmpty()) {
                var decision = occupy(after, node);
                after = collect(after, decision, changes, because);
                if (decision.outcome() instanceof NodeBlocks.Refused refusal) {
                    refused.add(refusal);
                }
            }
        }
        return new Decision<>(new Bootstrap(unusable, refused), changes, because);
    }

    private static ClusterCidrView collect(
            ClusterCidrView view,
            Decision<ClusterCidrChange, ?> decision,
            List<ClusterCidrChange> changes,
            List<Because> because) {
        var after = view;
        for (var change : decision.changes()) {
            after = after.with(change);
        }
        changes.addAll(decision.changes());
        because.addAll(decision.because());
        return after;
    }

    /// Reserves blocks for a node that has none, or takes note of those that it has.
    ///
    /// While blocks are on their way to the node it is answered with these, so that a write of which the
    /// reply was lost is repeated and not followed by another one.
    public static Decision<ClusterCidrChange, NodeBlocks> assign(ClusterCidrView view, LabeledNode node) {
        if (!node.entry().podCidrs().isEmpty()) {
            return occupy(view, node);
        }
        var name = node.name();
        if (node.entry().terminating()) {
            return unchanged(new NodeBlocks.Terminating(name), List.of());
        }
        var reserved = view.findReservation(name);
        if (reserved.isPresent()) {
            var reservation = reserved.get().withUid(node.entry().uid());
            return unchanged(
                    new NodeBlocks.Reserved(reservation, List.of()),
                    List.of(new StillReserved(name, reservation.clusterCidr())));
        }
        var held = view.findHold(name);
        if (held.isEmpty()) {
            return reserve(view, node, new ArrayList<>(), new ArrayList<>());
        }
        // The caller may have an older state of the node than the one that it wrote.
        if (held.get().sameNode(node.entry().uid())) {
            return unchanged(
                    new NodeBlocks.Held(held.get()),
                    List.of(new StillHeld(name, held.get().cidrs())));
        }
        var release = new Release(held.get());
        return reserve(
                view.with(release),
                node,
                new ArrayList<>(List.of(release)),
                new ArrayList<>(List.of(new AnotherNode(name))));
    }

    private static Decision<ClusterCidrChange, NodeBlocks> reserve(
            ClusterCidrView view, LabeledNode node, List<ClusterCidrChange> changes, List<Because> because) {
        var passedOver = new ArrayList<Because>();
        var candidates = CandidateOrder.giving(view.entries(), node.labels());
        for (var entry : view.entries()) {
            if (entry.terminating()) {
                passedOver.add(new GivesNothing(entry.name()));
            } else if (entry.awaiting()) {
                passedOver.add(new FinalizerAwaited(entry.name()));
            } else if (!entry.catchAll() && !entry.selector().matches(node.labels())) {
                passedOver.add(new SelectorMismatch(entry.name(), entry.selectorKey()));
            }
        }
        addSome(because, passedOver);
        for (var candidate : candidates) {
            var taken = new ArrayList<CidrSet.Next.Took>();
            for (var set : candidate.sets()) {
                switch (set.next()) {
                    case CidrSet.Next.Took took -> taken.add(took);
                    case CidrSet.Next.NoneRemaining _ -> because.add(noneRemaining(view, candidate, set));
                }
            }
            if (taken.size() == candidate.sets().size()) {
                taken.forEach(took -> because.add(new Chose(candidate.name(), took.block(), took.tries())));
                var blocks = taken.stream().map(CidrSet.Next.Took::block).toList();
                var reservation = new Reservation(node.name(), node.entry().uid(), blocks, candidate.name());
                changes.add(new Reserve(reservation));
                var tries = taken.stream().map(CidrSet.Next.Took::tries).toList();
                return new Decision<>(new NodeBlocks.Reserved(reservation, tries), changes, because);
            }
        }
        var awaited =
                CandidateOrder.awaiting(view.entries(), node.labels()).stream().findFirst();
        NodeBlocks refused = awaited.<NodeBlocks>map(entry -> new NodeBlocks.Awaiting(node.name(), entry.name()))
                .orElseGet(() -> new NodeBlocks.NotAvailable(node.name()));
        return new Decision<>(refused, changes, because);
    }

    /// Whether a ClusterCIDR that suits a node has a block of each of its families left.
    public static boolean hasRoom(ClusterCidrView view, LabeledNode node) {
        return CandidateOrder.giving(view.entries(), node.labels()).stream().anyMatch(ClusterCidrEntry::hasRoom);
    }

    /// Whether others than the ClusterCIDR's own nodes had a part in using its last block.
    private static Because noneRemaining(ClusterCidrView view, ClusterCidrEntry entry, CidrSet set) {
        for (int look = 0; look < Math.min(LOOKS_MAX, set.blockCount()); look++) {
            var block = set.block((set.cursor() + look) % set.blockCount());
            for (var held : view.held().overlapping(block)) {
                if (!entry.serves(held.node())) {
                    return new Overlapped(entry.name(), block, "node " + held.node(), held.prefix());
                }
            }
            var service = view.serviceRanges().stream().filter(block::overlaps).findFirst();
            if (service.isPresent()) {
                return new Overlapped(entry.name(), block, "the services", service.get());
            }
        }
        return new NoneRemaining(entry.name(), set.cluster().whole());
    }

    /// Takes note of the CIDRs that a node has, and of the ClusterCIDR that they belong to: the first
    /// candidate that spans all of them. Without one, they are kept from other nodes all the same.
    ///
    /// A node keeps its ClusterCIDR when its labels change.
    public static Decision<ClusterCidrChange, NodeBlocks> occupy(ClusterCidrView view, LabeledNode node) {
        var name = node.name();
        var cidrs = node.entry().prefixes();
        var changes = new ArrayList<ClusterCidrChange>();
        var because = new ArrayList<Because>();
        var reserved = view.findReservation(name);
        if (reserved.isPresent()) {
            var reservation = reserved.get().withUid(node.entry().uid());
            boolean arrived = reservation.blocks().equals(cidrs);
            changes.add(arrived ? new Confirm(reservation) : new GiveBack(reservation));
        }
        var after = changes.isEmpty() ? view : view.with(changes.getFirst());
        addSome(because, heldTwice(after, name, cidrs));
        var before = after.findHold(name);
        if (before.isPresent() && before.get().associated() && unchanged(before.get(), node)) {
            because.add(new StillHeld(name, cidrs));
            return new Decision<>(new NodeBlocks.Held(before.get()), changes, because);
        }
        var unreadable = unreadable(node);
        var entry = unreadable.isPresent() ? Optional.<ClusterCidrEntry>empty() : spanning(after, node, because);
        var hold = new NodeHold(
                name,
                node.entry().uid(),
                cidrs,
                entry.map(ClusterCidrEntry::name).orElse(""));
        if (before.isEmpty() || !before.get().equals(hold)) {
            changes.add(new Hold(hold));
        }
        NodeBlocks outcome = new NodeBlocks.Held(hold);
        if (unreadable.isPresent()) {
            outcome = new NodeBlocks.Unreadable(name, unreadable.get());
        } else if (entry.isEmpty()) {
            outcome = new NodeBlocks.Unmatched(name, node.entry().podCidrs());
        }
        return new Decision<>(outcome, changes, because);
    }

    private static boolean unchanged(NodeHold hold, LabeledNode node) {
        return hold.uid().equals(node.entry().uid())
                && hold.cidrs().equals(node.entry().prefixes());
    }

    private static Optional<String> unreadable(LabeledNode node) {
        return node.entry().podCidrs().stream()
                .filter(text -> SloppyText.parsePrefix(text).isEmpty())
                .findFirst();
    }

    private static Optional<ClusterCidrEntry> spanning(ClusterCidrView view, LabeledNode node, List<Because> because) {
        var cidrs = node.entry().prefixes();
        var passedOver = new ArrayList<Because>();
        var found = Optional.<ClusterCidrEntry>empty();
        for (var candidate : CandidateOrder.having(view.entries(), node.labels())) {
            if (candidate.spans(cidrs)) {
                found = Optional.of(candidate);
                break;
            }
            passedOver.add(new NotSpanned(candidate.name(), cidrs));
        }
        addSome(because, passedOver);
        return found;
    }

    private static List<Because> heldTwice(ClusterCidrView view, String node, List<Prefix> cidrs) {
        var twice = new ArrayList<Because>();
        for (var cidr : cidrs) {
            view.held().overlapping(cidr).stream()
                    .filter(held -> !held.node().equals(node))
                    .map(held -> new HeldTwice(node, cidr, held.node(), held.prefix()))
                    .forEach(twice::add);
        }
        return twice;
    }

    /// Notes that reserved blocks were written to their node.
    ///
    /// The node may be gone by then. So a node that was deleted is looked at once more after the caller is
    /// done with it, and released again.
    public static Decision<ClusterCidrChange, NodeBlocks> confirm(ClusterCidrView view, Reservation reservation) {
        var held = new NodeBlocks.Held(reservation.confirmed());
        return outstanding(view, reservation)
                ? new Decision<>(held, List.of(new Confirm(reservation)), List.of())
                : unchanged(held, List.of());
    }

    /// Notes that reserved blocks were not written to their node, and never will be. A caller that does not
    /// know keeps the reservation.
    public static Decision<ClusterCidrChange, Freed> giveBack(ClusterCidrView view, Reservation reservation) {
        return outstanding(view, reservation)
                ? new Decision<>(
                        new Freed(reservation.node(), reservation.blocks(), reservation.clusterCidr()),
                        List.of(new GiveBack(reservation)),
                        List.of())
                : new Decision<>(new Freed(reservation.node(), List.of(), ""), List.of(), List.of());
    }

    private static boolean outstanding(ClusterCidrView view, Reservation reservation) {
        return view.findReservation(reservation.node())
                .filter(found -> found.blocks().equals(reservation.blocks()))
                .isPresent();
    }

    /// Takes back what a node had that is gone, whatever labels it had. What is reserved for it stays
    /// reserved, since a write may still be under way.
    public static Decision<ClusterCidrChange, Freed> release(ClusterCidrView view, String node) {
        return view.findHold(node)
                .map(hold -> new Decision<ClusterCidrChange, Freed>(
                        new Freed(node, hold.cidrs(), hold.clusterCidr()), List.of(new Release(hold)), List.of()))
                .orElseGet(() -> new Decision<>(new Freed(node, List.of(), ""), List.of(), List.of()));
    }

    /// Takes a ClusterCIDR into use. It gets its finalizer first, so that it cannot vanish under a node.
    ///
    /// One that was modified is used as it was, or as it is found at the start, and gives nothing more.
    public static Decision<ClusterCidrChange, Registration> register(ClusterCidrView view, ClusterCidr clusterCidr) {
        var changes = new ArrayList<ClusterCidrChange>();
        var because = new ArrayList<Because>();
        var name = clusterCidr.name();
        var known = view.findEntry(name).map(ClusterCidrEntry::clusterCidr);
        if (known.isPresent() && replaced(known.get(), clusterCidr)) {
            changes.add(new Unregister(name));
            because.add(new AnotherObject(name));
            known = Optional.empty();
        }
        var fault = known.isPresent() ? Optional.<String>empty() : ClusterCidrEntry.fault(clusterCidr.spec());
        if (fault.isPresent()) {
            return new Decision<>(new Unusable(name, fault.get()), changes, because);
        }
        if (!clusterCidr.finalizer() && !clusterCidr.terminating()) {
            changes.add(new AddFinalizer(name));
        }
        if (clusterCidr.finalizer() && known.isPresent() && !known.get().finalizer()) {
            changes.add(new NoteFinalizer(name));
        }
        boolean modified = known.isPresent()
                ? !known.get().spec().equals(clusterCidr.spec())
                : clusterCidr.modified() && !clusterCidr.terminating();
        if (modified) {
            because.add(new Modified(name));
        }
        boolean terminating = modified || clusterCidr.terminating();
        if (known.isEmpty()) {
            var kept = clusterCidr.terminating() ? clusterCidr : clusterCidr.withFinalizer(true);
            changes.add(new Register(terminating ? kept.withTermination() : kept));
        } else if (terminating && !known.get().terminating()) {
            changes.add(new Terminate(name));
        }
        return new Decision<>(new Registered(name), changes, because);
    }

    private static boolean replaced(ClusterCidr known, ClusterCidr found) {
        return !known.uid().isEmpty() && !found.uid().isEmpty() && !known.uid().equals(found.uid());
    }

    /// Ends the use of a ClusterCIDR that is being deleted. It gives nothing more from now on; when no node
    /// has anything of it any more, its finalizer goes.
    public static Decision<ClusterCidrChange, Retirement> retire(ClusterCidrView view, ClusterCidr clusterCidr) {
        var changes = new ArrayList<ClusterCidrChange>();
        var name = clusterCidr.name();
        var entry = view.findEntry(name);
        if (entry.isPresent() && !entry.get().terminating()) {
            changes.add(new Terminate(name));
        }
        int nodes = nodesOf(view, clusterCidr);
        if (nodes > 0) {
            return new Decision<>(new InUse(name, nodes), changes, List.of());
        }
        if (clusterCidr.finalizer()) {
            changes.add(new RemoveFinalizer(name));
        }
        if (entry.isPresent()) {
            changes.add(new Unregister(name));
        }
        return new Decision<>(new Retired(name), changes, List.of());
    }

    /// How many nodes have something of it: those associated with it, and those associated with none that
    /// have addresses of its ranges.
    private static int nodesOf(ClusterCidrView view, ClusterCidr clusterCidr) {
        var entry = view.findEntry(clusterCidr.name())
                .or(() -> ClusterCidrEntry.fault(clusterCidr.spec()).isPresent()
                        ? Optional.empty()
                        : Optional.of(ClusterCidrEntry.of(clusterCidr)));
        var nodes = new TreeSet<String>();
        if (entry.isPresent()) {
            nodes.addAll(entry.get().nodes());
            for (var set : entry.get().sets()) {
                for (var held : view.held().overlapping(set.cluster().whole())) {
                    view.findHold(held.node())
                            .filter(hold -> !hold.associated())
                            .ifPresent(hold -> nodes.add(hold.node()));
                }
            }
        }
        return nodes.size();
    }

    /// Ends the use of a ClusterCIDR that vanished without waiting for its nodes. They keep what they have,
    /// and no other node gets it.
    public static Decision<ClusterCidrChange, Retirement> forget(ClusterCidrView view, String clusterCidr) {
        List<ClusterCidrChange> changes =
                view.findEntry(clusterCidr).isPresent() ? List.of(new Unregister(clusterCidr)) : List.of();
        return new Decision<>(new Retired(clusterCidr), changes, List.of());
    }

    private static Decision<ClusterCidrChange, NodeBlocks> unchanged(NodeBlocks outcome, List<Because> because) {
        return new Decision<>(outcome, List.of(), because);
    }

    private static void addSome(List<Because> because, List<Because> reasons) {
        reasons.stream().limit(REASONS_MAX).forEach(because::add);
        if (reasons.size() > REASONS_MAX) {
            because.add(new AndMore(reasons.size() - REASONS_MAX));
        }
    }
}
