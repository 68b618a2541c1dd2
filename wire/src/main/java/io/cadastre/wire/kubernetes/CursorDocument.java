package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.address.Subdivision;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The cursors of the node CIDR law as JSON. Upstream keeps them in memory, so the form is ours. Fields
/// unknown here are kept.
///
/// ```json
/// {"kind":"NodeCidrCursors","apiVersion":"cadastre.io/v1","assignments":3,
///  "cursors":[{"clusterCIDR":"10.244.0.0/16","nodeMask":24,"next":3}],"serviceCIDRs":["10.96.0.0/12"]}
/// ```
final class CursorDocument {

    private static final String KIND = "NodeCidrCursors";
    private static final String API_VERSION = "cadastre.io/v1";
    private static final String SERVICES = "serviceCIDRs";
    private static final int MASK_MAX = 128;

    private final ObjectNode json;
    private final Map<Subdivision, ObjectNode> entries;
    private final Cursors cursors;

    private CursorDocument(ObjectNode json, Map<Subdivision, ObjectNode> entries, Cursors cursors) {
        this.json = json;
        this.entries = entries;
        this.cursors = cursors;
    }

    /// The document of a cluster that never gave anything.
    static CursorDocument create() {
        var json = Json.emptyObject();
        json.put("kind", KIND);
        json.put("apiVersion", API_VERSION);
        return new CursorDocument(json, new LinkedHashMap<>(), Cursors.none());
    }

    /// Reads the document.
    ///
    /// @throws UnreadableDocumentException if it is not one
    static CursorDocument decode(String key, Bytes document) {
        var reader = new Fields(key);
        var json = Json.readObject(key, document);
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", API_VERSION);
        var entries = new LinkedHashMap<Subdivision, ObjectNode>();
        var cursors = new ArrayList<Cursors.Cursor>();
        try {
            for (var element : reader.array(json, "cursors")) {
                if (!(element instanceof ObjectNode entry)) {
                    throw new UnreadableDocumentException(key, "one of its cursors is not an object");
                }
                var cluster = new Subdivision(
                        Prefix.parse(reader.text(entry, "clusterCIDR")),
                        Math.toIntExact(Math.min(MASK_MAX + 1, reader.count(entry, "nodeMask"))));
                long next = Math.min(Integer.MAX_VALUE, reader.count(entry, "next"));
                cursors.add(new Cursors.Cursor(cluster, Math.toIntExact(next)));
                entries.put(cluster, entry);
            }
            return new CursorDocument(json, entries, new Cursors(cursors, reader.count(json, "assignments")));
        } catch (IllegalArgumentException fault) {
            throw new UnreadableDocumentException(key, String.valueOf(fault.getMessage()), fault);
        }
    }

    Cursors cursors() {
        return cursors;
    }

    /// The service ranges beside the cluster CIDRs, as far as they can be read.
    List<Prefix> serviceRanges() {
        return new Fields(NodeBook.CURSORS)
                .texts(json, SERVICES).stream()
                        .flatMap(text -> SloppyText.parsePrefix(text).stream())
                        .toList();
    }

    /// This after an assignment in a cluster.
    ///
    /// @param serviceRanges those that other dialects must leave alone
    CursorDocument with(Cursors moved, List<Prefix> serviceRanges) {
        var changed = json.deepCopy();
        changed.remove(SERVICES);
        if (!serviceRanges.isEmpty()) {
            var services = changed.putArray(SERVICES);
            serviceRanges.forEach(range -> services.add(range.toString()));
        }
        changed.put("assignments", moved.assignments());
        var array = changed.putArray("cursors");
        var changedEntries = new LinkedHashMap<Subdivision, ObjectNode>();
        for (var cursor : moved.cursors()) {
            var entry =
                    entries.getOrDefault(cursor.cluster(), Json.emptyObject()).deepCopy();
            entry.put("clusterCIDR", cursor.cluster().whole().toString());
            entry.put("nodeMask", cursor.cluster().partLength());
            entry.put("next", cursor.next());
            array.add(entry);
            changedEntries.put(cursor.cluster(), entry);
        }
        return new CursorDocument(changed, changedEntries, moved);
    }

    Bytes encode() {
        return Json.write(json);
    }
}
