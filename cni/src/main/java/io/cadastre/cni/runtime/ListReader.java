package io.cadastre.cni.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.Members;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Reads a list of plugins. Its own members, unlike those of every other document of CNI, match by their
/// exact name only.
final class ListReader {

    private static final String FAULT = "error parsing configuration list: ";

    private final ObjectNode tree;

    private ListReader(ObjectNode tree) {
        this.tree = tree;
    }

    /// The list with the plugins that are inside of the document, which may be none.
    static NetworkList read(Bytes document) {
        var reader = new ListReader(object(document));
        var name = reader.name();
        var version = reader.version();
        var disableCheck = reader.flag("disableCheck");
        var disableGc = reader.flag("disableGC");
        var onlyInlined = reader.flag("loadOnlyInlinedPlugins");
        return new NetworkList(
                document, name, version, disableCheck, disableGc, onlyInlined, reader.plugins(onlyInlined));
    }

    private static ObjectNode object(Bytes document) {
        JsonNode value;
        try {
            value = CniJson.read(document);
        } catch (CniException unreadable) {
            throw fault(unreadable.error().sentence());
        }
        return switch (value) {
            case ObjectNode object -> object;
            case NullNode _ -> throw fault("no name");
            case JsonNode other ->
                throw fault("json: cannot unmarshal %s into Go value of type %s"
                        .formatted(CniJson.kind(other), "map[string]interface {}"));
        };
    }

    private static CniException fault(String words) {
        return new CniException(CniCode.UNKNOWN, FAULT + words);
    }

    private Optional<JsonNode> find(String name) {
        return Optional.ofNullable(tree.get(name));
    }

    private String name() {
        var name = find("name").orElseThrow(() -> fault("no name"));
        if (!name.isTextual()) {
            throw fault("invalid name type " + goType(name));
        }
        return name.textValue();
    }

    private String version() {
        var written = find("cniVersion");
        if (written.isPresent() && !written.get().isTextual()) {
            throw fault("invalid cniVersion type " + goType(written.get()));
        }
        var version = written.map(JsonNode::textValue).orElse("");
        return find("cniVersions").map(list -> highest(version, list)).orElse(version);
    }

    /// The highest version that we know among those that the author of the list allows.
    private static String highest(String version, JsonNode allowed) {
        if (!(allowed instanceof ArrayNode list)) {
            // The reference code names the type that it wants here, not the one it got.
            throw fault("invalid type for cniVersions: []interface {}");
        }
        var candidates = new ArrayList<String>();
        for (int index = 0; index < list.size(); index++) {
            var entry = list.get(index);
            if (!entry.isTextual()) {
                throw fault("invalid type for cniVersions index %d: %s".formatted(index, goType(entry)));
            }
            var words = "invalid cniVersions entry %s at index %d: ".formatted(entry.textValue(), index);
            addIfKnown(candidates, entry.textValue(), words);
        }
        if (!version.isEmpty()) {
            addIfKnown(candidates, version, "invalid cniVersion %s: ".formatted(version));
        }
        return candidates.stream().max(Comparator.comparing(CniVersion::parse)).orElse(version);
    }

    private static void addIfKnown(List<String> candidates, String version, String words) {
        try {
            if (CniVersion.atLeast(CniVersion.NEWEST, version)) {
                candidates.add(version);
            }
        } catch (CniException unreadable) {
            throw fault(words + unreadable.getMessage());
        }
    }

    private boolean flag(String name) {
        return find(name).map(value -> flag(value, name)).orElse(false);
    }

    private static boolean flag(JsonNode value, String name) {
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        if (!value.isTextual()) {
            throw fault("invalid type %s for %s".formatted(goType(value), name));
        }
        var text = value.textValue();
        if (text.equalsIgnoreCase("true")) {
            return true;
        }
        if (text.equalsIgnoreCase("false")) {
            return false;
        }
        throw fault("invalid value %s for %s".formatted(GoText.quote(text), name));
    }

    private List<PluginEntry> plugins(boolean onlyInlined) {
        var plugins = find("plugins");
        if (plugins.isEmpty()) {
            if (onlyInlined) {
                throw fault("`loadOnlyInlinedPlugins` is true, and no 'plugins' key");
            }
            return List.of();
        }
        if (!(plugins.get() instanceof ArrayNode list)) {
            throw fault("invalid 'plugins' type " + goType(plugins.get()));
        }
        if (list.isEmpty()) {
            throw fault("no plugins in list");
        }
        var entries = new ArrayList<PluginEntry>();
        for (int index = 0; index < list.size(); index++) {
            entries.add(entry(list.get(index), index));
        }
        return entries;
    }

    private static PluginEntry entry(JsonNode written, int index) {
        try {
            return switch (written) {
                case ObjectNode object -> new PluginEntry(Members.of(object));
                default -> PluginEntry.parse(Bytes.ofUtf8(CniJson.compact(written)));
            };
        } catch (CniException unreadable) {
            throw unreadable.prefixed("failed to parse plugin config %d: ".formatted(index));
        }
    }

    private static String goType(JsonNode value) {
        return switch (CniJson.kind(value)) {
            case "object" -> "map[string]interface {}";
            case "array" -> "[]interface {}";
            case "number" -> "float64";
            case "null" -> "<nil>";
            case String kind -> kind;
        };
    }
}
