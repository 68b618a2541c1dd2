package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.cloud.CloudChange.AddAlias;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudReason.ChosenBefore;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Equal;
import io.cadastre.engine.nodecidr.cloud.CloudReason.HeldToo;
import io.cadastre.engine.nodecidr.cloud.CloudReason.NextBlock;
import io.cadastre.engine.nodecidr.cloud.CloudReason.TooMany;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Unequal;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.Direction;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.Exhausted;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.NoAlias;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.Outside;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.UnreadableCidr;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.WrongMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Brings the CIDR of a node and the alias range of its machine together, as upstream's `IPAMFromCluster` and
/// `IPAMFromCloud` do. Each of the two sides has a range or not, which makes four cases, and a fifth where both
/// have one and they differ.
public final class SyncEngine {

    private SyncEngine() {}

    /// What is decided, and the view to go on with. The view is worth keeping whatever becomes of the changes:
    /// it has what was reserved.
    public record Step(Decision<CloudChange, CloudOutcome> decision, SyncView after) {}

    /// What the deletion of a node came to.
    ///
    /// @param events at most one
    public record Forgotten(SyncView after, List<CloudEvent> events) {
        public Forgotten {
            events = List.copyOf(events);
        }
    }

    /// Decides what is done for the node.
    public static Step sync(SyncView before, CloudNode node, AliasRanges answer) {
        var view = before.seeing(node);
        var unaskable = CloudEngine.unaskable(node);
        if (unaskable.isPresent()) {
            return refused(view, unaskable.get(), List.of());
        }
        return switch (answer) {
            case AliasRanges.Failed(var sentence) -> refused(view, new NoAlias(sentence), List.of());
            case AliasRanges.NoSuchInstance(var sentence) -> refused(view, new NoAlias(sentence), List.of());
            case AliasRanges.Found(var ranges) when ranges.isEmpty() -> withoutAlias(view, node);
            case AliasRanges.Found(var ranges) -> withAlias(view, node, ranges);
        };
    }

    /// Takes back what a deleted node held. One whose CIDR cannot be read held nothing.
    public static Forgotten forget(SyncView view, CloudNode node) {
        boolean unreadable = !node.podCidr().isEmpty() && node.podCidrRead().isEmpty();
        var events = unreadable
                ? List.of(CloudEvent.sync(
                        CloudEvent.INVALID_POD_CIDR,
                        "Node %s has an invalid PodCIDR: %s"
                                .formatted(GoWords.quoted(node.name()), GoWords.quoted(node.podCidr()))))
                : List.<CloudEvent>of();
        return new Forgotten(view.without(node.name()), events);
    }

    private static Step withoutAlias(SyncView view, CloudNode node) {
        boolean toCloud = view.mode() == SyncMode.FROM_CLUSTER;
        if (node.podCidr().isEmpty()) {
            return toCloud ? allocate(view, node) : refused(view, new WrongMode(Direction.ALLOCATE, view.mode()));
        }
        return toCloud ? publish(view, node) : refused(view, new WrongMode(Direction.TO_CLOUD, view.mode()));
    }

    private static Step allocate(SyncView view, CloudNode node) {
        var reserved = view.findReserved(node.name());
        if (reserved.isPresent()) {
            return give(view, node, reserved.get(), new ChosenBefore(node.name(), reserved.get()));
        }
        return switch (view.set().next()) {
            case CidrSet.Next.NoneRemaining none -> refused(view, new Exhausted(none));
            case CidrSet.Next.Took took ->
                give(
                        view.at(took.after()).reserving(node, took.block()),
                        node,
                        took.block(),
                        new NextBlock(took.block(), took.tries()));
        };
    }

    private static Step give(SyncView after, CloudNode node, Prefix block, CloudReason reason) {
        return inStep(
                after,
                block,
                List.of(
                        new AddAlias(node.name(), node.providerId(), block),
                        new PatchCidrs(node.name(), List.of(block), PatchCidrs.Form.FIRST_ONLY),
                        open(node)),
                List.of(reason));
    }

    private static Step publish(SyncView view, CloudNode node) {
        var read = node.podCidrRead();
        if (read.isEmpty()) {
            return refused(view, new UnreadableCidr(node.podCidr()));
        }
        var cidr = read.get();
        return switch (view.set().reach(cidr)) {
            case Reach.Outside outside -> refused(view, new Outside(outside));
            case Reach.Blocks _ ->
                inStep(
                        view.reserving(node, cidr),
                        cidr,
                        List.of(new AddAlias(node.name(), node.providerId(), cidr), open(node)),
                        rivals(view, node, cidr));
        };
    }

    private static Step withAlias(SyncView view, CloudNode node, List<String> ranges) {
        var alias = CloudNode.read(ranges.getFirst());
        if (alias.isEmpty()) {
            return refused(view, new NoAlias("invalid CIDR address: " + ranges.getFirst()), List.of());
        }
        var because = new ArrayList<Because>();
        if (ranges.size() > 1) {
            because.add(new TooMany(ranges, 1));
        }
        return node.podCidr().isEmpty()
                ? adopt(view, node, alias.get(), because)
                : compare(view, node, alias.get(), because);
    }

    /// Copies the alias range to the node. Where the cluster decides that is wrong, unless the range is the one
    /// that was reserved for the node and got no further than the cloud.
    private static Step adopt(SyncView view, CloudNode node, Prefix alias, List<Because> because) {
        boolean begun = view.findReserved(node.name()).equals(Optional.of(alias));
        if (view.mode() == SyncMode.FROM_CLUSTER && !begun) {
            return refused(view, new WrongMode(Direction.FROM_CLOUD, view.mode()), because);
        }
        return switch (view.set().reach(alias)) {
            case Reach.Outside outside -> refused(view, new Outside(outside), because);
            case Reach.Blocks _ -> {
                because.add(
                        begun
                                ? new ChosenBefore(node.name(), alias)
                                : new Unequal(node.name(), List.of(), List.of(alias.toString())));
                because.addAll(rivals(view, node, alias));
                yield inStep(
                        view.reserving(node, alias),
                        alias,
                        List.of(new PatchCidrs(node.name(), List.of(alias), PatchCidrs.Form.FIRST_ONLY), open(node)),
                        because);
            }
        };
    }

    private static Step compare(SyncView view, CloudNode node, Prefix alias, List<Because> because) {
        if (node.podCidrRead().equals(Optional.of(alias))) {
            because.add(new Equal(node.name(), List.of(node.podCidr())));
            // Otherwise the condition is for others to set.
            List<CloudChange> changes = view.unfinished(node.name(), alias) ? List.of(open(node)) : List.of();
            return inStep(view, alias, changes, because);
        }
        because.add(new Unequal(node.name(), List.of(node.podCidr()), List.of(alias.toString())));
        var event = CloudEvent.sync(
                CloudEvent.MISMATCH, "Node.Spec.PodCIDR != cloud alias (%s != %s)".formatted(node.podCidr(), alias));
        return new Step(new Decision<>(new CloudOutcome.Mismatched(event), List.of(), because), view);
    }

    private static List<Because> rivals(SyncView view, CloudNode node, Prefix cidr) {
        return view.findRival(node.name(), cidr)
                .<List<Because>>map(rival -> List.of(new HeldToo(rival.name(), String.join(", ", rival.podCidrs()))))
                .orElse(List.of());
    }

    private static OpenNetwork open(CloudNode node) {
        return new OpenNetwork(node.name(), OpenNetwork.AN_IMPLICIT_ROUTE);
    }

    private static Step inStep(
            SyncView after, Prefix cidr, List<CloudChange> changes, List<? extends Because> because) {
        return new Step(new Decision<>(new CloudOutcome.InStep(List.of(cidr)), changes, List.copyOf(because)), after);
    }

    private static Step refused(SyncView view, CloudRefusal refusal) {
        return refused(view, refusal, List.of());
    }

    private static Step refused(SyncView view, CloudRefusal refusal, List<Because> because) {
        return new Step(new Decision<>(new CloudOutcome.Refused(refusal), List.of(), because), view);
    }
}
