package io.cadastre.wire.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a node allocator reads of a Node.
///
/// @param revision of the document
public record NodeObject(NodeEntry entry, SortedMap<String, String> labels, long revision) {

    public NodeObject {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /// Reads the document of a Node.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if the document is not one
    public static NodeObject read(Document document) {
        var key = document.key();
        var entry = NodeDocument.decode(key, name(key), document.value()).entry();
        var reader = new Fields(key);
        var metadata = reader.object(Json.readObject(key, document.value()), "metadata");
        return new NodeObject(entry, reader.textMap(metadata, "labels"), document.revision());
    }

    /// The key of the Node of this name.
    public static String key(String name) {
        return CoreKeys.NODES + name;
    }

    /// The name of the Node with this key.
    public static String name(String key) {
        return key.substring(CoreKeys.NODES.length());
    }

    /// The body of the strategic merge patch by which the node allocator of Kubernetes gives CIDRs to a node.
    public static Bytes patchOf(List<String> podCidrs) {
        return NodeDocument.patch(podCidrs);
    }

    public String name() {
        return entry.name();
    }

    public List<String> podCidrs() {
        return entry.podCidrs();
    }
}
