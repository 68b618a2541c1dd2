package io.cadastre.cni.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAttachment;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.Members;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The configuration of one plugin on its way to it. Its members are sorted when it is written, since
/// the reference code sorts them; a previous result keeps the order of its version.
///
/// `capabilities` is left out, as the text of the specification has it.
final class PluginInput {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Members members;
    private final Optional<CniResult> prevResult;

    private PluginInput(Members members, Optional<CniResult> prevResult) {
        this.members = members;
        this.prevResult = prevResult;
    }

    static PluginInput of(NetworkList list, PluginEntry plugin) {
        return new PluginInput(
                plugin.config()
                        .without("capabilities")
                        .with("name", TextNode.valueOf(list.name()))
                        .with("cniVersion", TextNode.valueOf(list.cniVersion())),
                Optional.empty());
    }

    PluginInput with(Optional<CniResult> result) {
        return new PluginInput(members.without("prevResult"), result);
    }

    /// Adds what the caller knows about the capabilities that the plugin enables. If it knows nothing, a
    /// `runtimeConfig` that stands in the file is left alone.
    PluginInput withCapabilities(PluginEntry plugin, Members known) {
        var told = NODES.objectNode();
        var values = known.tree();
        for (var capability : plugin.enabledCapabilities()) {
            var value = values.get(capability);
            if (value != null) {
                told.set(capability, value);
            }
        }
        return told.isEmpty() ? this : new PluginInput(members.with("runtimeConfig", told), prevResult);
    }

    /// Adds what is in use, under the name of the specification and under that of an early draft.
    PluginInput withValid(List<CniAttachment> attachments) {
        var list = NODES.arrayNode();
        for (var attachment : attachments) {
            list.addObject().put("containerID", attachment.containerId()).put("ifname", attachment.ifname());
        }
        return new PluginInput(
                members.with("cni.dev/valid-attachments", list).with("cni.dev/attachments", list), prevResult);
    }

    Bytes encode() {
        var sorted = new TreeMap<String, JsonNode>();
        for (var field : members.tree().properties()) {
            sorted.put(field.getKey(), CniJson.sorted(field.getValue()));
        }
        prevResult.ifPresent(result -> sorted.put("prevResult", result.tree()));
        ObjectNode object = NODES.objectNode().setAll(sorted);
        return Bytes.ofUtf8(CniJson.compact(object));
    }
}
