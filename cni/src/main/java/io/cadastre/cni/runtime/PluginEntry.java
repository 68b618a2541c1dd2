package io.cadastre.cni.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import java.util.List;

/// The configuration of one plugin of a network, as it stands in a file. It has a type.
public record PluginEntry(Members config) {

    private static final String FAULT = "error parsing configuration: ";

    public PluginEntry {
        if (type(config).isEmpty()) {
            throw new CniException(CniCode.UNKNOWN, FAULT + "missing 'type'");
        }
    }

    private static String type(Members config) {
        try {
            // What else is read later is read once here, so that a fault is reported with its file.
            config.text("name");
            config.text("cniVersion");
            enabledCapabilities(config);
            return config.text("type");
        } catch (CniException unreadable) {
            throw new CniException(CniCode.UNKNOWN, FAULT + unreadable.getMessage());
        }
    }

    static PluginEntry parse(Bytes document) {
        try {
            return new PluginEntry(Members.parse(document));
        } catch (CniException unreadable) {
            throw unreadable.error().is(CniCode.UNKNOWN)
                    ? unreadable
                    : new CniException(CniCode.UNKNOWN, FAULT + unreadable.getMessage());
        }
    }

    public String type() {
        return config.text("type");
    }

    /// The name of the network, in a file of its own, or a name for messages.
    public String name() {
        return config.text("name");
    }

    public String cniVersion() {
        return config.text("cniVersion");
    }

    /// What the plugin wants from the runtime, in order.
    public List<String> enabledCapabilities() {
        return enabledCapabilities(config);
    }

    private static List<String> enabledCapabilities(Members config) {
        var capabilities = config.object("capabilities");
        return capabilities.map(Members::tree).map(ObjectNode::properties).stream()
                .flatMap(fields -> fields.stream())
                .filter(field -> capabilities.orElseThrow().flag(field.getKey()))
                .map(field -> field.getKey())
                .toList();
    }
}
