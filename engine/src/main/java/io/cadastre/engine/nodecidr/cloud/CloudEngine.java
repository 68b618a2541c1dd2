package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Equal;
import io.cadastre.engine.nodecidr.cloud.CloudReason.TooMany;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Unequal;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.NoAnswer;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.NoProviderId;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.NoRanges;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.NotDualStack;
import io.cadastre.engine.nodecidr.cloud.CloudRefusal.UnreadableRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Gives nodes the alias ranges of their machines, as upstream's `CloudAllocator` does.
public final class CloudEngine {

    private CloudEngine() {}

    /// Whether a change of the node is a reason to look at it. A new node always is.
    public static boolean concerns(CloudNode node) {
        return node.podCidr().isEmpty() || !node.saysItHasANetwork() || node.tainted();
    }

    /// Why the cloud cannot be asked about the node, if it cannot.
    public static Optional<CloudRefusal> unaskable(CloudNode node) {
        return node.providerId().isEmpty() ? Optional.of(new NoProviderId(node.name())) : Optional.empty();
    }

    /// Decides what the node is given for the alias ranges of its machine.
    public static Decision<CloudChange, CloudOutcome> follow(CloudNode node, AliasRanges answer) {
        var unaskable = unaskable(node);
        if (unaskable.isPresent()) {
            return refused(unaskable.get(), List.of());
        }
        return switch (answer) {
            case AliasRanges.Failed(var sentence) -> refused(new NoAnswer(node.name(), sentence), List.of());
            case AliasRanges.NoSuchInstance(var sentence) -> refused(new NoAnswer(node.name(), sentence), List.of());
            case AliasRanges.Found(var ranges) when ranges.isEmpty() -> refused(new NoRanges(node.name()), List.of());
            case AliasRanges.Found(var ranges) -> follow(node, ranges);
        };
    }

    private static Decision<CloudChange, CloudOutcome> follow(CloudNode node, List<String> all) {
        var because = new ArrayList<Because>();
        var ranges = all.subList(0, Math.min(all.size(), CloudRefusal.DUAL_STACK_COUNT));
        if (ranges.size() < all.size()) {
            because.add(new TooMany(all, ranges.size()));
        }
        var cidrs = new ArrayList<Prefix>();
        for (var range : ranges) {
            var read = CloudNode.read(range);
            if (read.isEmpty()) {
                return refused(new UnreadableRange(ranges, cidrs.size()), because);
            }
            cidrs.add(read.get());
        }
        if (cidrs.stream().map(Prefix::family).distinct().count() < cidrs.size()) {
            return refused(
                    new NotDualStack(
                            node.name(), ranges, node.entry().podCidrs().size()),
                    because);
        }
        var changes = new ArrayList<CloudChange>();
        if (has(node, cidrs)) {
            because.add(new Equal(node.name(), node.entry().podCidrs()));
        } else {
            because.add(new Unequal(node.name(), node.entry().podCidrs(), ranges));
            changes.add(new PatchCidrs(node.name(), cidrs, PatchCidrs.Form.LIST));
        }
        changes.add(new OpenNetwork(node.name(), OpenNetwork.IMPLICIT_ROUTE));
        return new Decision<>(new CloudOutcome.InStep(cidrs), changes, because);
    }

    /// Whether the node has these CIDRs, in whatever spelling. A single one is compared with the first of the
    /// node, as upstream does: a node keeps a second CIDR that its machine does not have.
    private static boolean has(CloudNode node, List<Prefix> cidrs) {
        var held = node.entry().prefixes();
        boolean readable = held.size() == node.entry().podCidrs().size() && !held.isEmpty();
        return readable && (cidrs.size() == 1 ? held.subList(0, 1) : held).equals(cidrs);
    }

    private static Decision<CloudChange, CloudOutcome> refused(CloudRefusal refusal, List<Because> because) {
        return new Decision<>(new CloudOutcome.Refused(refusal), List.of(), because);
    }
}
