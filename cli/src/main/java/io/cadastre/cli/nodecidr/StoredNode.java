package io.cadastre.cli.nodecidr;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.cli.command.Layout;
import io.cadastre.cli.command.Layout.Column;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.List;
import java.util.stream.Collectors;

/// A node as it is stored, for the screen.
record StoredNode(NodeEntry entry, JsonNode document) {

    static final Layout<StoredNode> LAYOUT = new Layout<>(
            List.of(
                    Column.always("NODE", StoredNode::name),
                    Column.always("CIDR", StoredNode::cidrs),
                    Column.wide("STATE", StoredNode::state),
                    Column.wide("CREATED", StoredNode::created)),
            node -> "node/" + node.name(),
            StoredNode::document);

    /// All nodes in the order of their names, as they were at one moment.
    static List<StoredNode> all(Datastore datastore) {
        var reading = Reading.of(datastore, NodeBook.NODES);
        var documents =
                reading.listing().documents().stream().collect(Collectors.toMap(StoredNode::name, StoredNode::json));
        return NodeBook.fetchNodes(reading).stream()
                .map(entry -> new StoredNode(entry, requireNonNull(documents.get(entry.name()))))
                .toList();
    }

    private static String name(Document stored) {
        return stored.key().substring(NodeBook.NODES.length());
    }

    private static JsonNode json(Document stored) {
        return Json.readObject(stored.key(), stored.value());
    }

    String name() {
        return entry.name();
    }

    private String cidrs() {
        return entry.podCidrs().isEmpty() ? "-" : String.join(",", entry.podCidrs());
    }

    private String state() {
        return entry.terminating() ? "terminating" : "present";
    }

    private String created() {
        var created = document.at("/metadata/creationTimestamp").asText();
        return created.isEmpty() ? "-" : created;
    }
}
