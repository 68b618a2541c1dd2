package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// What an allocator that asks a cloud reads of a Node, and what it writes.
///
/// @param revision of the document
public record MachineNode(CloudNode node, long revision) {

    private static final String NO_SCHEDULE = "NoSchedule";

    /// Reads the document of a Node.
    ///
    /// @throws UnreadableDocumentException if the document is not one
    public static MachineNode read(Document document) {
        var key = document.key();
        var entry =
                NodeDocument.decode(key, NodeObject.name(key), document.value()).entry();
        var json = Json.readObject(key, document.value());
        var reader = new Fields(key);
        var spec = reader.object(json, "spec");
        var unavailable = objects(reader, reader.object(json, "status"), "conditions").stream()
                .filter(condition -> reader.text(condition, "type").equals(CloudNode.NETWORK_UNAVAILABLE))
                .findFirst()
                .map(condition -> reader.text(condition, "status"))
                .orElse("");
        boolean tainted = objects(reader, spec, "taints").stream()
                .anyMatch(taint -> reader.text(taint, "key").equals(CloudNode.NETWORK_UNAVAILABLE_TAINT)
                        && reader.text(taint, "effect").equals(NO_SCHEDULE));
        return new MachineNode(
                new CloudNode(entry, reader.text(spec, "providerID"), unavailable, tainted), document.revision());
    }

    private static List<ObjectNode> objects(Fields reader, ObjectNode parent, String name) {
        var objects = new ArrayList<ObjectNode>();
        for (var element : reader.array(parent, name)) {
            if (!(element instanceof ObjectNode object)) {
                throw new UnreadableDocumentException(
                        reader.key(), "an element of its %s is not an object".formatted(name));
            }
            objects.add(object);
        }
        return objects;
    }

    /// The body of a strategic merge patch of the Node.
    ///
    /// For [PatchCidrs.Form#FIRST_ONLY], upstream takes version and kind from an object in which its client has
    /// cleared them.
    public static Bytes patchOf(PatchCidrs change) {
        var podCidrs = change.cidrs().stream().map(Prefix::toString).toList();
        return switch (change.form()) {
            case LIST -> NodeDocument.patch(podCidrs);
            case FIRST_ONLY -> {
                var json = Json.emptyObject().put("apiVersion", "").put("kind", "");
                json.putObject("metadata").put("name", change.node());
                json.putObject("spec").put("podCIDR", podCidrs.getFirst());
                yield Json.write(json);
            }
        };
    }

    /// The body of a strategic merge patch of the status of the Node.
    public static Bytes patchOf(OpenNetwork change, Instant now) {
        var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        var json = Json.emptyObject();
        json.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", CloudNode.NETWORK_UNAVAILABLE)
                .put("status", "False")
                .put("lastHeartbeatTime", time)
                .put("lastTransitionTime", time)
                .put("reason", OpenNetwork.REASON)
                .put("message", change.message());
        return Json.write(json);
    }
}
