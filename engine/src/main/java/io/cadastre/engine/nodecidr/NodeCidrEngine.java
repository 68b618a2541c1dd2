package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrChange.TakeBack;
import io.cadastre.engine.nodecidr.NodeCidrReason.AlreadyGone;
import io.cadastre.engine.nodecidr.NodeCidrReason.AlreadyHolds;
import io.cadastre.engine.nodecidr.NodeCidrReason.AndMore;
import io.cadastre.engine.nodecidr.NodeCidrReason.Chose;
import io.cadastre.engine.nodecidr.NodeCidrReason.Filled;
import io.cadastre.engine.nodecidr.NodeCidrReason.HeldTwice;
import io.cadastre.engine.nodecidr.NodeCidrReason.ServiceRangeTakes;
import io.cadastre.engine.nodecidr.NodeCidrReason.StayUsed;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.Exhausted;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.HeldByNode;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.NoSuchNode;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.Terminating;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Gives each node one block of each cluster CIDR, the way the Kubernetes node IPAM controller does.
public final class NodeCidrEngine {

    /// Of each kind of finding about other nodes, a decision names this many.
    private static final int FINDINGS_MAX = 16;

    private NodeCidrEngine() {}

    /// Decides whether a controller may begin: every node's CIDRs must fit the configuration.
    public static Decision<NodeCidrChange, Start> start(NodeCidrView view) {
        var because = findings(view);
        for (var set : view.sets()) {
            because.add(new Filled(set.cluster(), set.usedCount(), set.blockCount()));
        }
        Start outcome = view.misfits().isEmpty()
                ? new Start.Ready()
                : new Start.Refused(view.misfits().getFirst());
        return new Decision<>(outcome, List.of(), because);
    }

    /// Gives a node the next block of each cluster CIDR, of all or of none. Other nodes that do not fit
    /// the configuration do not prevent this.
    public static Decision<NodeCidrChange, NodeCidrAssignment> add(NodeCidrView view, AddRequest request) {
        var node = view.find(request.node()).orElse(NodeEntry.of(request.node(), List.of()));
        if (!node.podCidrs().isEmpty()) {
            return alreadyHolding(view, node);
        }
        if (node.terminating()) {
            return refused(new Terminating(node.name()), List.of());
        }
        var rival = view.rival();
        if (rival.isPresent()) {
            return refused(rival.get(), List.of());
        }
        var because = findings(view);
        var after = new ArrayList<CidrSet>();
        var blocks = new ArrayList<Prefix>();
        for (var set : view.sets()) {
            switch (set.next()) {
                case CidrSet.Next.Took took -> {
                    because.add(new Chose(took.block(), set.cursor(), took.tries(), set.cluster()));
                    after.add(took.after());
                    blocks.add(took.block());
                }
                case CidrSet.Next.NoneRemaining _ -> {
                    because.add(new Filled(set.cluster(), set.usedCount(), set.blockCount()));
                    return refused(new Exhausted(node.name(), after.size()), because);
                }
            }
        }
        // The cursors come first: where writes are applied one by one, a writer that lost the race for
        // the cursors has written nothing else, and a stop in between leaves a block unused.
        List<NodeCidrChange> changes =
                List.of(new MoveCursors(view.cursors().afterAssignment(after)), new GiveCidrs(node.name(), blocks));
        var given = node.withCidrs(blocks).podCidrs();
        return new Decision<>(new NodeCidrAssignment.Assigned(node.name(), given), changes, because);
    }

    /// Gives a node the CIDRs that it holds already, where the nodes were put back from a backup and do not
    /// know it.
    public static Decision<NodeCidrChange, NodeCidrAssignment> adopt(
            NodeCidrView view, AddRequest request, List<Prefix> cidrs) {
        var node = view.find(request.node()).orElse(NodeEntry.of(request.node(), List.of()));
        if (node.podCidrs().size() == cidrs.size() && node.prefixes().containsAll(cidrs)) {
            return new Decision<>(new NodeCidrAssignment.Assigned(node.name(), node.podCidrs()), List.of(), List.of());
        }
        for (var other : view.nodes()) {
            boolean meets =
                    other.prefixes().stream().anyMatch(held -> cidrs.stream().anyMatch(held::overlaps));
            if (other.equals(node) ? !node.podCidrs().isEmpty() : meets) {
                return refused(new HeldByNode(other.name(), other.podCidrs()), List.of());
            }
        }
        // The cursors stay where they are; their count makes rivals conflict.
        return new Decision<>(
                new NodeCidrAssignment.Assigned(
                        node.name(), node.withCidrs(cidrs).podCidrs()),
                List.of(new MoveCursors(view.cursors().afterAssignment(List.of())), new GiveCidrs(node.name(), cidrs)),
                List.of());
    }

    private static Decision<NodeCidrChange, NodeCidrAssignment> alreadyHolding(NodeCidrView view, NodeEntry node) {
        var misfit = view.misfit(node);
        if (misfit.isPresent()) {
            return refused(misfit.get(), List.of());
        }
        return new Decision<>(
                new NodeCidrAssignment.Assigned(node.name(), node.podCidrs()),
                List.of(),
                List.of(new AlreadyHolds(node.name(), node.podCidrs())));
    }

    private static Decision<NodeCidrChange, NodeCidrAssignment> refused(
            NodeCidrRefusal refusal, List<Because> because) {
        return new Decision<>(new NodeCidrAssignment.Refused(refusal), List.of(), because);
    }

    /// Removes a node and takes back what it holds.
    public static Decision<NodeCidrChange, Removal> remove(NodeCidrView view, RemoveRequest request) {
        var found = view.find(request.node());
        boolean meant = found.isPresent()
                && (request.uid().isEmpty() || request.uid().equals(found.get().uid()));
        if (!meant) {
            return request.uid().isEmpty()
                    ? new Decision<>(new Removal.Refused(new NoSuchNode(request.node())), List.of(), List.of())
                    : new Decision<>(
                            new Removal.Removed(request.node(), List.of()),
                            List.of(),
                            List.of(new AlreadyGone(request.node(), request.uid())));
        }
        var node = found.get();
        var takeBack = new TakeBack(node.name(), node.prefixes());
        return new Decision<>(
                new Removal.Removed(node.name(), node.podCidrs()), List.of(takeBack), stillUsed(view, takeBack));
    }

    private static List<Because> stillUsed(NodeCidrView view, TakeBack takeBack) {
        var because = new ArrayList<Because>();
        if (view.exact()) {
            return because;
        }
        for (var set : view.with(takeBack).sets()) {
            for (var cidr : takeBack.cidrs()) {
                if (set.reach(cidr) instanceof Reach.Blocks blocks && set.usedCount(blocks) > 0) {
                    because.add(new StayUsed(cidr, set.usedCount(blocks), set.cluster()));
                }
            }
        }
        return because;
    }

    /// What an operator should know about a view before reading what was decided on it.
    private static List<Because> findings(NodeCidrView view) {
        var because = new ArrayList<Because>();
        for (var range : view.config().serviceRanges()) {
            for (var set : view.sets()) {
                if (set.reach(range) instanceof Reach.Blocks blocks) {
                    because.add(new ServiceRangeTakes(range, set.cluster(), blocks));
                }
            }
        }
        addSome(because, view.misfits(), misfit -> misfit);
        addSome(because, view.heldTwice(), HeldTwice::new);
        return because;
    }

    private static <T> void addSome(List<Because> because, List<T> findings, Function<T, Because> reason) {
        findings.stream().limit(FINDINGS_MAX).map(reason).forEach(because::add);
        if (findings.size() > FINDINGS_MAX) {
            because.add(new AndMore(findings.size() - FINDINGS_MAX));
        }
    }
}
