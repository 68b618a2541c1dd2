package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// A `v1.Node` as JSON. Fields unknown here are kept.
///
/// `spec.podCIDR` is the first of `spec.podCIDRs`. Where a reader finds them otherwise it does what the
/// API server does: `podCIDR` alone is a list of one, and a `podCIDR` that differs from the first of
/// the list replaces the list.
final class NodeDocument {

    private static final String KIND = "Node";
    private static final String API_VERSION = "v1";

    private final ObjectNode json;
    private final NodeEntry entry;

    private NodeDocument(ObjectNode json, NodeEntry entry) {
        this.json = json;
        this.entry = entry;
    }

    /// A node that is not registered yet.
    static NodeDocument create(NodeEntry entry, Instant created) {
        var json = Json.emptyObject();
        json.put("kind", KIND);
        json.put("apiVersion", API_VERSION);
        json.putObject("metadata")
                .put("name", NodeName.check(entry.name()))
                .put("uid", entry.uid())
                .put(
                        "creationTimestamp",
                        DateTimeFormatter.ISO_INSTANT.format(created.truncatedTo(ChronoUnit.SECONDS)));
        putCidrs(json.putObject("spec"), entry.podCidrs());
        return new NodeDocument(json, entry);
    }

    /// Reads the document of a node.
    ///
    /// @throws UnreadableDocumentException if it is not one, or that of another node
    static NodeDocument decode(String key, String name, Bytes document) {
        var reader = new Fields(key);
        NodeName.fault(name).ifPresent(fault -> {
            throw new UnreadableDocumentException(key, fault);
        });
        var json = Json.readObject(key, document);
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", API_VERSION);
        var metadata = reader.object(json, "metadata");
        reader.expect(metadata, "name", name);
        boolean terminating = metadata.hasNonNull("deletionTimestamp");
        var spec = reader.object(json, "spec");
        return new NodeDocument(
                json, new NodeEntry(name, podCidrs(reader, spec), terminating, reader.text(metadata, "uid")));
    }

    private static List<String> podCidrs(Fields reader, ObjectNode spec) {
        var list = reader.texts(spec, "podCIDRs");
        var first = reader.text(spec, "podCIDR");
        boolean listCounts =
                first.isEmpty() || (!list.isEmpty() && list.getFirst().equals(first));
        return listCounts ? list : List.of(first);
    }

    NodeEntry entry() {
        return entry;
    }

    NodeDocument withPodCidrs(List<String> podCidrs) {
        var changed = json.deepCopy();
        var spec = changed.get("spec") instanceof ObjectNode present ? present : changed.putObject("spec");
        putCidrs(spec, podCidrs);
        return new NodeDocument(changed, new NodeEntry(entry.name(), podCidrs, entry.terminating(), entry.uid()));
    }

    Bytes encode() {
        return Json.write(json);
    }

    /// The body of the strategic merge patch by which upstream gives CIDRs to a node.
    static Bytes patch(List<String> podCidrs) {
        var json = Json.emptyObject();
        putCidrs(json.putObject("spec"), podCidrs);
        return Json.write(json);
    }

    private static void putCidrs(ObjectNode spec, List<String> podCidrs) {
        spec.put("podCIDR", podCidrs.getFirst());
        var list = spec.putArray("podCIDRs");
        podCidrs.forEach(list::add);
    }
}
