package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSetList;
import io.cadastre.engine.nodecidr.CidrSetList.Claim;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Forget;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.GiveBack;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Occupy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Park;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.PassBy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Sync;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.Take;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WriteError;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WritePodCidrs;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.AllFull;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.Conflicting;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.NoFamilies;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.NoFamily;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.NotACidr;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFault.NotClaimed;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.Annotated;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.Chose;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.Known;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.NotAllKnown;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.NotKnown;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.PartlyUsed;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.PassedBy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.Stripped;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolView.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Gives nodes blocks of several cluster CIDRs, the way Cilium's operator does in the mode cluster-pool.
public final class ClusterPoolEngine {

    private ClusterPoolEngine() {}

    /// A node is there, or has changed.
    public static Decision<ClusterPoolChange, ClusterPoolOutcome> upsert(ClusterPoolView view, ClusterPoolNode node) {
        if (node.ignored()) {
            return new Decision<>(
                    new ClusterPoolOutcome.Ignored(node.name()), List.of(), List.of(new Annotated(node.name())));
        }
        var fault = fault(view, node);
        if (fault.isPresent()) {
            return failed(node, fault.get(), view.held(node.name()), List.of(), List.of());
        }
        var held = view.held(node.name());
        if (held.isEmpty()) {
            return node.podCidrs().isEmpty() ? complete(view, node, held, List.of(), List.of()) : claim(view, node);
        }
        if (!held.containsAll(node.cidrs())) {
            var conflict = new Conflicting(held, node.cidrs());
            return failed(node, conflict, held, List.of(new WritePodCidrs(node.name(), held)), List.of());
        }
        return complete(view, node, held, List.of(), List.of(new Known(node.name(), held)));
    }

    /// What forbids any other look at the node.
    private static Optional<ClusterPoolFault> fault(ClusterPoolView view, ClusterPoolNode node) {
        var unreadable = node.unreadable();
        if (unreadable.isPresent()) {
            return Optional.of(new NotACidr(unreadable.get()));
        }
        if (view.families().isEmpty()) {
            return Optional.of(new NoFamilies(node.name(), node.cidrs(Family.IPV4), node.cidrs(Family.IPV6)));
        }
        for (var family : Family.values()) {
            if (!node.cidrs(family).isEmpty() && view.find(family).isEmpty()) {
                return Optional.of(new NoFamily(family, node.cidrs(family)));
            }
        }
        return Optional.empty();
    }

    /// Claims what an unknown node has, family by family.
    private static Decision<ClusterPoolChange, ClusterPoolOutcome> claim(ClusterPoolView view, ClusterPoolNode node) {
        var claimed = new ArrayList<Prefix>();
        var because = new ArrayList<Because>();
        var failures = new ArrayList<Claim.Failed>();
        for (var list : view.families()) {
            var cidrs = node.cidrs(list.family());
            var failure = failure(list, cidrs);
            failure.ifPresent(failures::add);
            if (failure.isEmpty()) {
                claimed.addAll(cidrs);
            } else if (failure.get().usedAlready()) {
                because.add(new Stripped(list.family(), cidrs));
            }
        }
        if (failures.isEmpty()) {
            claimed.stream()
                    .filter(cidr -> view.isHeldByAnother(node.name(), cidr))
                    .forEach(cidr -> because.add(new PartlyUsed(cidr)));
            return complete(view, node, claimed, List.of(new Occupy(node.name(), claimed)), because);
        }
        var fault = new NotClaimed(failures.getFirst());
        var stripped = failures.stream()
                .filter(Claim.Failed::usedAlready)
                .map(failed -> failed.cidr().family())
                .toList();
        // A CIDR that fits nowhere is for the operator of the cluster to put right; until then nothing is claimed.
        if (stripped.isEmpty()) {
            return failed(node, fault, List.of(), List.of(), List.of());
        }
        var changes = new ArrayList<ClusterPoolChange>();
        if (!claimed.isEmpty()) {
            changes.add(new Occupy(node.name(), claimed));
        }
        var left = node.cidrs().stream()
                .filter(cidr -> !stripped.contains(cidr.family()))
                .toList();
        changes.add(new WritePodCidrs(node.name(), left));
        return failed(node, fault, claimed, changes, because);
    }

    /// The first of the CIDRs that cannot be claimed, all of them together.
    private static Optional<Claim.Failed> failure(CidrSetList list, List<Prefix> cidrs) {
        var after = list;
        for (var cidr : cidrs) {
            switch (after.claim(cidr)) {
                case Claim.Occupied(var more) -> after = more;
                case Claim.Failed failed -> {
                    return Optional.of(failed);
                }
            }
        }
        return Optional.empty();
    }

    /// Gives a node a block of each family that it lacks, of all of them or of none.
    ///
    /// @param held what it has, once the changes are taken
    private static Decision<ClusterPoolChange, ClusterPoolOutcome> complete(
            ClusterPoolView view,
            ClusterPoolNode node,
            List<Prefix> held,
            List<ClusterPoolChange> changes,
            List<? extends Because> because) {
        var lacking = view.families().stream()
                .filter(list -> held.stream().noneMatch(cidr -> cidr.family() == list.family()))
                .toList();
        if (!lacking.isEmpty() && view.phase() == Phase.LISTING) {
            return parked(node, changes, because);
        }
        var allChanges = new ArrayList<>(changes);
        var allBecause = new ArrayList<Because>(because);
        var taken = new ArrayList<CidrSetList.Taken>();
        for (var list : lacking) {
            var next = list.next();
            if (next.isEmpty()) {
                for (var other : taken) {
                    allChanges.add(new PassBy(other.block()));
                    allBecause.add(new PassedBy(other.block()));
                }
                return failed(node, new AllFull(), held, allChanges, allBecause);
            }
            taken.add(next.get());
        }
        var all = new ArrayList<>(held);
        if (!taken.isEmpty()) {
            var blocks = taken.stream().map(CidrSetList.Taken::block).toList();
            taken.forEach(one -> allBecause.add(new Chose(one.block(), one.tries())));
            allChanges.add(new Take(node.name(), blocks));
            all.addAll(blocks);
            all.sort((one, other) -> one.family().compareTo(other.family()));
        }
        if (lacksListed(node, all)) {
            allChanges.add(new WritePodCidrs(node.name(), all));
        }
        if (!node.error().isEmpty()) {
            allChanges.add(new WriteError(node.name(), ""));
        }
        return new Decision<>(new ClusterPoolOutcome.Holds(node.name(), all), allChanges, allBecause);
    }

    /// Whether a family of what the node has is missing in its object. That one CIDR of several was taken out of a
    /// family is left as it is.
    private static boolean lacksListed(ClusterPoolNode node, List<Prefix> held) {
        var listed = new TreeSet<Family>();
        node.cidrs().forEach(cidr -> listed.add(cidr.family()));
        return held.stream().anyMatch(cidr -> !listed.contains(cidr.family()));
    }

    private static Decision<ClusterPoolChange, ClusterPoolOutcome> parked(
            ClusterPoolNode node, List<ClusterPoolChange> changes, List<? extends Because> because) {
        var allChanges = new ArrayList<>(changes);
        allChanges.add(new Park(node));
        var allBecause = new ArrayList<Because>(because);
        allBecause.add(new NotAllKnown(node.name()));
        return new Decision<>(new ClusterPoolOutcome.Parked(node.name()), allChanges, allBecause);
    }

    private static Decision<ClusterPoolChange, ClusterPoolOutcome> failed(
            ClusterPoolNode node,
            ClusterPoolFault fault,
            List<Prefix> kept,
            List<ClusterPoolChange> changes,
            List<Because> because) {
        var all = new ArrayList<>(changes);
        if (!node.error().equals(fault.sentence())) {
            all.add(new WriteError(node.name(), fault.sentence()));
        }
        return new Decision<>(new ClusterPoolOutcome.Failed(node.name(), fault, kept), all, because);
    }

    /// All nodes that there are have been seen: those that wait get what they lack, in the order in which they came.
    public static Decision<ClusterPoolChange, ClusterPoolOutcome> sync(ClusterPoolView view) {
        var changes = new ArrayList<ClusterPoolChange>();
        var because = new ArrayList<Because>();
        var outcomes = new ArrayList<ClusterPoolOutcome>();
        changes.add(new Sync());
        var after = view.with(changes.getFirst());
        for (var node : view.parked()) {
            var decision = upsert(after, node);
            for (var change : decision.changes()) {
                after = after.with(change);
            }
            changes.addAll(decision.changes());
            because.addAll(decision.because());
            outcomes.add(decision.outcome());
        }
        return new Decision<>(new ClusterPoolOutcome.Synced(outcomes), changes, because);
    }

    /// A node is gone.
    public static Decision<ClusterPoolChange, ClusterPoolOutcome> delete(ClusterPoolView view, String node) {
        var held = view.held(node);
        var changes = new ArrayList<ClusterPoolChange>();
        if (view.parked().stream().anyMatch(one -> one.name().equals(node))) {
            changes.add(new Forget(node));
        }
        if (!held.isEmpty()) {
            changes.add(new GiveBack(node, held));
        }
        List<Because> because = held.isEmpty() ? List.of(new NotKnown(node)) : List.of();
        return new Decision<>(new ClusterPoolOutcome.Released(node, held), changes, because);
    }
}
