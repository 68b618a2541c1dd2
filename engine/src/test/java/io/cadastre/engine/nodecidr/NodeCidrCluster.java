package io.cadastre.engine.nodecidr;

import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Assigned;
import io.cadastre.engine.nodecidr.NodeCidrSetup.Configured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A cluster on which decisions take effect at once, for tests that read like a story.
final class NodeCidrCluster {

    private NodeCidrView view;

    private NodeCidrCluster(NodeCidrView view) {
        this.view = view;
    }

    static NodeCidrCluster of(NodeCidrFlags flags, NodeEntry... nodes) {
        return new NodeCidrCluster(NodeCidrView.of(config(flags), List.of(nodes), Cursors.none()));
    }

    static NodeCidrConfig config(NodeCidrFlags flags) {
        return switch (NodeCidrSetup.from(flags)) {
            case Configured(var config, var _) -> config;
            case NodeCidrSetup other -> throw new AssertionError("not configured: " + other);
        };
    }

    static NodeEntry aNode(String name, String... podCidrs) {
        return NodeEntry.of(name, Arrays.asList(podCidrs));
    }

    static NodeEntry aTerminatingNode(String name, String... podCidrs) {
        return new NodeEntry(name, Arrays.asList(podCidrs), true);
    }

    NodeCidrView view() {
        return view;
    }

    Decision<NodeCidrChange, Start> start() {
        return NodeCidrEngine.start(view);
    }

    Decision<NodeCidrChange, NodeCidrAssignment> add(String node) {
        return enact(NodeCidrEngine.add(view, new AddRequest(node)));
    }

    Decision<NodeCidrChange, Removal> remove(String node) {
        return enact(NodeCidrEngine.remove(view, new RemoveRequest(node)));
    }

    /// What the node holds after it was added.
    List<String> given(String node) {
        return switch (add(node).outcome()) {
            case Assigned(var _, var podCidrs) -> podCidrs;
            case NodeCidrAssignment.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    /// The same nodes in the eyes of a controller that kept nothing else.
    NodeCidrCluster withoutCursors() {
        return new NodeCidrCluster(NodeCidrView.of(view.config(), view.nodes(), Cursors.none()));
    }

    NodeCidrCluster withFlags(NodeCidrFlags flags) {
        return new NodeCidrCluster(NodeCidrView.of(config(flags), view.nodes(), view.cursors()));
    }

    NodeCidrCluster joinedBy(NodeEntry node) {
        var nodes = new ArrayList<>(view.nodes());
        nodes.add(node);
        return new NodeCidrCluster(NodeCidrView.of(view.config(), nodes, view.cursors()));
    }

    private <O> Decision<NodeCidrChange, O> enact(Decision<NodeCidrChange, O> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
        }
        return decision;
    }
}
