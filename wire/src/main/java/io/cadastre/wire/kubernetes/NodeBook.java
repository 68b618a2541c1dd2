package io.cadastre.wire.kubernetes;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.RemoveRequest;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.wire.book.NetWrites;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Node objects in their Kubernetes form, and beside them the cursors, in any store.
public final class NodeBook implements Book<NodeCidrView, NodeCidrChange> {

    /// The keys of nodes are this and the node's name.
    public static final String NODES = CoreKeys.NODES;

    /// The key of the cursors, where all who give CIDRs meet.
    public static final String CURSORS = "/cadastre/node-cidr/cursors";

    private final Datastore store;
    private final NodeCidrConfig config;
    private final InstantSource clock;

    /// A book in this store for a cluster of this configuration.
    ///
    /// @param clock tells when a node is brought about
    public NodeBook(Datastore store, NodeCidrConfig config, InstantSource clock) {
        this.store = store;
        this.config = config;
        this.clock = clock;
    }

    /// The nodes in a store, whatever their cluster's configuration.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    public static List<NodeEntry> fetchNodes(Datastore store) {
        return entries(store.listAll(NODES).documents());
    }

    /// The request to remove the node that has this name now; empty if there is none.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it cannot be read
    public static Optional<RemoveRequest> findRemoval(Datastore store, String node) {
        return store.get(NODES + node).stream()
                .map(document -> entries(List.of(document)).getFirst())
                .map(entry -> new RemoveRequest(entry.name(), entry.uid()))
                .findFirst();
    }

    /// Reads the cursors and the nodes.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    @Override
    public Page<NodeCidrView, NodeCidrChange> open() {
        // The cursors first: whoever gives CIDRs after they were read rewrites them, so that saving
        // this page fails. Were they read after the nodes, an assignment between the two readings
        // would be missing from the nodes and yet be no conflict.
        var cursors = store.get(CURSORS);
        var nodes = store.listAll(NODES).documents();
        var documents = new ArrayList<Document>(nodes);
        cursors.ifPresent(documents::add);
        var view =
                NodeCidrView.of(
                        config,
                        entries(nodes),
                        cursors.map(
                                        document ->
                                                CursorDocument.decode(CURSORS, document.value())
                                                        .cursors())
                                .orElse(Cursors.none()));
        return new NodePage(store, clock, view, NetWrites.over(documents));
    }

    private static List<NodeEntry> entries(List<Document> nodes) {
        return nodes.stream()
                .map(
                        document ->
                                NodeDocument.decode(
                                                document.key(),
                                                document.key().substring(NODES.length()),
                                                document.value())
                                        .entry())
                .toList();
    }
}
