package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.ObjectWrite;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrEngine;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrView;
import io.cadastre.engine.nodecidr.clustercidr.LabeledNode;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks;
import io.cadastre.engine.nodecidr.clustercidr.NodeHold;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The law of MultiCIDRRangeAllocator: blocks of the ClusterCIDR that suits the node best.
final class ClusterCidrLaw implements CidrLaw {

    private final CidrSetFigures figures =
            new CidrSetFigures("node_ipam_controller_multicidrset", "node_ipam_controller_multicidrset_max_cidrs");

    /// Nodes whose CIDRs do not fit, by name.
    private final SortedMap<String, Misfit> misfits = new TreeMap<>();

    /// What nodes held at the beginning that others held too.
    private final SequencedMap<String, String> heldTwice = new LinkedHashMap<>();

    private ClusterCidrView view;

    /// A node as it was seen, and why its CIDRs do not fit.
    private record Misfit(LabeledNode node, String sentence) {}

    ClusterCidrLaw(List<Prefix> serviceRanges, Collection<ClusterCidr> clusterCidrs, Collection<NodeObject> nodes) {
        view = ClusterCidrView.empty(serviceRanges);
        var found = nodes.stream()
                .map(ClusterCidrLaw::labeled)
                .sorted(Comparator.comparing(LabeledNode::name))
                .toList();
        var decision = ClusterCidrEngine.start(view, List.copyOf(clusterCidrs), found);
        decision.changes().forEach(this::apply);
        var byName = found.stream().collect(Collectors.toMap(LabeledNode::name, Function.identity()));
        for (var refused : decision.outcome().refused()) {
            var node = Objects.requireNonNull(byName.get(refused.node()));
            misfits.put(node.name(), new Misfit(node, refused.sentence()));
        }
        decision.because().stream()
                .filter(ClusterCidrReason.HeldTwice.class::isInstance)
                .map(ClusterCidrReason.HeldTwice.class::cast)
                .forEach(twice -> heldTwice.putIfAbsent(twice.node(), twice.sentence()));
    }

    private static LabeledNode labeled(NodeObject node) {
        return new LabeledNode(node.entry(), node.labels());
    }

    /// Takes a step.
    void apply(ClusterCidrChange change) {
        var before = sets();
        view = view.with(change);
        sets().forEach((labels, set) -> {
            var former = before.get(labels);
            figures.changed(labels, former == null ? 0 : former.usedCount(), set.usedCount());
        });
        if (change instanceof ClusterCidrChange.Register) {
            List.copyOf(misfits.values()).forEach(misfit -> occupy(misfit.node()));
        }
    }

    /// A node that fits nothing may fit a ClusterCIDR that comes later.
    private Decision<ClusterCidrChange, NodeBlocks> occupy(LabeledNode node) {
        misfits.remove(node.name());
        var decision = ClusterCidrEngine.occupy(view, node);
        decision.changes().forEach(this::apply);
        if (decision.outcome() instanceof NodeBlocks.Refused refused) {
            misfits.put(node.name(), new Misfit(node, refused.sentence()));
        }
        return decision;
    }

    private Map<List<String>, CidrSet> sets() {
        var sets = new LinkedHashMap<List<String>, CidrSet>();
        for (var entry : view.entries()) {
            for (var set : entry.sets()) {
                sets.put(
                        List.of(
                                "clusterCIDRName",
                                entry.name(),
                                "clusterCIDR",
                                set.cluster().whole().toString()),
                        set);
            }
        }
        return sets;
    }

    ClusterCidrView view() {
        return view;
    }

    /// Takes the steps of a decision up to the first that writes an object, and returns that and those behind it.
    List<ClusterCidrChange> takeUntilWrite(Decision<ClusterCidrChange, ?> decision) {
        var changes = decision.changes();
        int taken = 0;
        while (taken < changes.size() && !(changes.get(taken) instanceof ObjectWrite)) {
            apply(changes.get(taken));
            taken++;
        }
        return changes.subList(taken, changes.size());
    }

    /// A node that fits no ClusterCIDR keeps no other node waiting.
    @Override
    public Optional<String> fault() {
        return Optional.empty();
    }

    @Override
    public SequencedMap<String, String> heldTwice() {
        return heldTwice;
    }

    @Override
    public Optional<String> seen(NodeObject node) {
        if (node.podCidrs().isEmpty()) {
            gone(node.name());
            return Optional.empty();
        }
        boolean unchanged = view.findHold(node.name())
                .filter(hold -> hold.uid().equals(node.entry().uid())
                        && hold.cidrs().equals(node.entry().prefixes()))
                .isPresent();
        var because = occupy(labeled(node)).because();
        return unchanged
                ? Optional.empty()
                : because.stream()
                        .filter(ClusterCidrReason.HeldTwice.class::isInstance)
                        .map(reason -> reason.sentence())
                        .findFirst();
    }

    /// Nothing is held by the node or reserved for it.
    private void giveBack(String node) {
        view.findReservation(node)
                .map(reservation -> ClusterCidrEngine.giveBack(view, reservation))
                .ifPresent(decision -> decision.changes().forEach(this::apply));
        ClusterCidrEngine.release(view, node).changes().forEach(this::apply);
    }

    @Override
    public void gone(String node) {
        misfits.remove(node);
        giveBack(node);
    }

    @Override
    public Optional<String> misfit(NodeObject node) {
        return Optional.ofNullable(misfits.get(node.name())).map(Misfit::sentence);
    }

    @Override
    public Offer offer(NodeObject node) {
        var decision = ClusterCidrEngine.assign(view, labeled(node));
        decision.changes().forEach(this::apply);
        return switch (decision.outcome()) {
            case NodeBlocks.Reserved(var reservation, var tries) -> {
                for (int index = 0; index < tries.size(); index++) {
                    var block = reservation.blocks().get(index);
                    int count = tries.get(index);
                    sets().forEach((labels, set) -> {
                        if (labels.get(1).equals(reservation.clusterCidr())
                                && set.cluster().whole().contains(block)) {
                            figures.tried(labels, count);
                        }
                    });
                }
                yield new Offer.Chosen(reservation.blocks(), decision.because());
            }
            case NodeBlocks.Awaiting _ -> new Offer.Awaited();
            case NodeBlocks.NotAvailable refused -> new Offer.Exhausted(refused.sentence());
            case NodeBlocks.Refused refused -> new Offer.Refused(refused.sentence());
            case NodeBlocks.Held(var hold) ->
                throw new IllegalStateException(
                        "node %s has %s and asks for CIDRs".formatted(hold.node(), hold.cidrs()));
        };
    }

    @Override
    public boolean hasRoom(NodeObject node) {
        return ClusterCidrEngine.hasRoom(view, labeled(node));
    }

    @Override
    public void hold(String holder, List<Prefix> cidrs) {
        apply(new ClusterCidrChange.Hold(new NodeHold(holder, "", cidrs, "")));
    }

    @Override
    public long usedCount() {
        return view.entries().stream()
                .flatMap(entry -> entry.sets().stream())
                .mapToLong(CidrSet::usedCount)
                .sum();
    }

    @Override
    public List<Metric> figures() {
        return figures.metrics(sets());
    }
}
