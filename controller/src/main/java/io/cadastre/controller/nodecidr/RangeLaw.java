package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.Start;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// The law of RangeAllocator: a block of each cluster CIDR for each node. Its cursors begin at the first block with
/// each term, as those of kube-controller-manager do with each process.
final class RangeLaw implements CidrLaw {

    private final CidrSetFigures figures =
            new CidrSetFigures("node_ipam_controller_cidrset", "node_ipam_controller_cirdset_max_cidrs");

    private NodeCidrView view;

    RangeLaw(NodeCidrConfig config, Collection<NodeObject> nodes) {
        view = NodeCidrView.of(config, List.of(), Cursors.none());
        // The blocks of service ranges count as upstream counts them.
        view.sets().forEach(set -> figures.changed(labels(set), 0, set.usedCount()));
        become(NodeCidrView.of(config, nodes.stream().map(NodeObject::entry).toList(), Cursors.none()));
    }

    private static List<String> labels(CidrSet set) {
        return List.of("clusterCIDR", set.cluster().whole().toString());
    }

    private void become(NodeCidrView next) {
        for (int index = 0; index < next.sets().size(); index++) {
            var set = next.sets().get(index);
            figures.changed(labels(set), view.sets().get(index).usedCount(), set.usedCount());
        }
        view = next;
    }

    @Override
    public Optional<String> fault() {
        return switch (NodeCidrEngine.start(view).outcome()) {
            case Start.Ready _ -> Optional.empty();
            case Start.Refused(var refusal) -> Optional.of(refusal.sentence());
        };
    }

    @Override
    public SequencedMap<String, String> heldTwice() {
        var found = new LinkedHashMap<String, String>();
        view.heldTwice()
                .forEach(twice -> found.putIfAbsent(twice.other().facts().node(), twice.sentence()));
        return found;
    }

    @Override
    public Optional<String> seen(NodeObject node) {
        var before = Set.copyOf(view.heldTwice());
        boolean other = view.find(node.name())
                .map(NodeEntry::podCidrs)
                .filter(former -> !former.equals(node.podCidrs()))
                .isPresent();
        if (other) {
            // In two steps, so that what becomes free is counted as well as what becomes used.
            become(view.withoutNode(node.name()));
        }
        become(view.withSeen(node.entry()));
        return view.heldTwice().stream()
                .filter(twice -> !before.contains(twice))
                .filter(twice -> holds(twice.one(), node) || holds(twice.other(), node))
                .map(TwoHolders::sentence)
                .findFirst();
    }

    private static boolean holds(Holding holding, NodeObject node) {
        return NodeCidrHoldings.of(node.name(), node.entry().prefixes()).contains(holding);
    }

    @Override
    public void gone(String node) {
        become(view.withoutNode(node));
    }

    @Override
    public Optional<String> misfit(NodeObject node) {
        return view.misfits().stream()
                .filter(misfit -> misfit.node().equals(node.name()))
                .map(NodeCidrReason.Misfit::sentence)
                .findFirst();
    }

    @Override
    public Offer offer(NodeObject node) {
        var decision = NodeCidrEngine.add(view, new AddRequest(node.name()));
        return switch (decision.outcome()) {
            case NodeCidrAssignment.Refused(NodeCidrRefusal.Exhausted exhausted) ->
                new Offer.Exhausted(exhausted.sentence());
            case NodeCidrAssignment.Refused(var refusal) -> new Offer.Refused(refusal.sentence());
            case NodeCidrAssignment.Assigned _ -> {
                var cidrs = new ArrayList<Prefix>();
                for (var change : decision.changes()) {
                    become(view.with(change));
                    if (change instanceof NodeCidrChange.GiveCidrs give) {
                        cidrs.addAll(give.cidrs());
                    }
                }
                decision.because().stream()
                        .filter(NodeCidrReason.Chose.class::isInstance)
                        .map(NodeCidrReason.Chose.class::cast)
                        .forEach(this::count);
                yield new Offer.Chosen(cidrs, decision.because());
            }
        };
    }

    private void count(NodeCidrReason.Chose chose) {
        view.sets().stream()
                .filter(set -> set.cluster().equals(chose.cluster()))
                .forEach(set -> figures.tried(labels(set), chose.skipped()));
    }

    @Override
    public boolean hasRoom(NodeObject node) {
        return true;
    }

    @Override
    public void hold(String holder, List<Prefix> cidrs) {
        var texts = cidrs.stream().map(Prefix::toString).toList();
        become(view.withSeen(NodeEntry.of(holder, texts)));
    }

    @Override
    public long usedCount() {
        return view.sets().stream().mapToLong(CidrSet::usedCount).sum();
    }

    @Override
    public List<Metric> figures() {
        var sets = new LinkedHashMap<List<String>, CidrSet>();
        view.sets().forEach(set -> sets.put(labels(set), set));
        return figures.metrics(sets);
    }
}
