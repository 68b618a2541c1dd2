package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Reserved;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A cluster on which decisions take effect at once, for tests that read like a story.
final class ClusterCidrCluster {

    private ClusterCidrView view;

    ClusterCidrCluster(String... serviceRanges) {
        view = ClusterCidrView.empty(
                Arrays.stream(serviceRanges).map(Prefix::parse).toList());
    }

    static ClusterCidr aClusterCidr(String name, int hostBits, String ipv4, String ipv6, NodeSelector selector) {
        return ClusterCidr.of(name, new ClusterCidrSpec(hostBits, ipv4, ipv6, selector));
    }

    /// One without a selector.
    static ClusterCidr aCatchAll(String name, int hostBits, String ipv4, String ipv6) {
        return aClusterCidr(name, hostBits, ipv4, ipv6, new NodeSelector.Absent());
    }

    /// A selector of one term that asks for one value of each label.
    static NodeSelector labelled(String... labels) {
        return new NodeSelector.Terms(List.of(aTerm(labels)));
    }

    static NodeSelector.Term aTerm(String... labels) {
        return new NodeSelector.Term(
                Arrays.stream(labels)
                        .map(label -> label.split("=", 2))
                        .map(label -> new SelectorRequirement(label[0], "In", List.of(label[1])))
                        .toList(),
                List.of());
    }

    static LabeledNode aNode(String name, String... labels) {
        return aNode(NodeEntry.of(name, List.of()), labels);
    }

    static LabeledNode aNode(NodeEntry entry, String... labels) {
        var map = new TreeMap<String, String>();
        for (var label : labels) {
            var parts = label.split("=", 2);
            map.put(parts[0], parts[1]);
        }
        return new LabeledNode(entry, map);
    }

    static LabeledNode aNode(String name, Map<String, String> labels) {
        return new LabeledNode(NodeEntry.of(name, List.of()), new TreeMap<>(labels));
    }

    ClusterCidrView view() {
        return view;
    }

    ClusterCidrCluster with(ClusterCidr... clusterCidrs) {
        for (var clusterCidr : clusterCidrs) {
            enact(ClusterCidrEngine.register(view, clusterCidr));
        }
        return this;
    }

    Decision<ClusterCidrChange, NodeBlocks> assign(LabeledNode node) {
        return enact(ClusterCidrEngine.assign(view, node));
    }

    Decision<ClusterCidrChange, NodeBlocks> occupy(LabeledNode node) {
        return enact(ClusterCidrEngine.occupy(view, node));
    }

    /// What the node gets, which it then has.
    List<String> given(LabeledNode node) {
        var reservation = reserved(node);
        enact(ClusterCidrEngine.confirm(view, reservation));
        return NodeBlocks.podCidrs(reservation);
    }

    Reservation reserved(LabeledNode node) {
        return switch (assign(node).outcome()) {
            case Reserved(var reservation, var _) -> reservation;
            case NodeBlocks other -> throw new AssertionError("not reserved: " + other);
        };
    }

    /// The ClusterCIDR that the node has CIDRs of.
    String clusterCidrOf(String node) {
        return view.findHold(node).orElseThrow().clusterCidr();
    }

    Decision<ClusterCidrChange, NodeBlocks> confirm(Reservation reservation) {
        return enact(ClusterCidrEngine.confirm(view, reservation));
    }

    Decision<ClusterCidrChange, Freed> giveBack(Reservation reservation) {
        return enact(ClusterCidrEngine.giveBack(view, reservation));
    }

    Decision<ClusterCidrChange, Freed> release(String node) {
        return enact(ClusterCidrEngine.release(view, node));
    }

    Decision<ClusterCidrChange, Registration> register(ClusterCidr clusterCidr) {
        return enact(ClusterCidrEngine.register(view, clusterCidr));
    }

    Decision<ClusterCidrChange, Retirement> retire(ClusterCidr clusterCidr) {
        return enact(ClusterCidrEngine.retire(view, clusterCidr));
    }

    Decision<ClusterCidrChange, Retirement> forget(String clusterCidr) {
        return enact(ClusterCidrEngine.forget(view, clusterCidr));
    }

    Decision<ClusterCidrChange, Bootstrap> start(List<ClusterCidr> clusterCidrs, LabeledNode... nodes) {
        return enact(ClusterCidrEngine.start(view, clusterCidrs, List.of(nodes)));
    }

    /// How many blocks of each family of a ClusterCIDR are used.
    List<Integer> used(String clusterCidr) {
        return view.findEntry(clusterCidr).orElseThrow().sets().stream()
                .map(set -> set.usedCount())
                .toList();
    }

    private <O> Decision<ClusterCidrChange, O> enact(Decision<ClusterCidrChange, O> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
        }
        return decision;
    }
}
