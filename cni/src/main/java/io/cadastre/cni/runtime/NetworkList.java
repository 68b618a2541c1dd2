package io.cadastre.cni.runtime;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import java.util.ArrayList;
import java.util.List;

/// A network: its plugins, in the order in which they are called, and the version in which they are called.
///
/// @param raw the document it was read from, which is kept with every attachment
/// @param cniVersion empty if there is none
/// @param onlyInlined whether plugins in files of their own are left out
public record NetworkList(
        Bytes raw,
        String name,
        String cniVersion,
        boolean disableCheck,
        boolean disableGc,
        boolean onlyInlined,
        List<PluginEntry> plugins) {

    public NetworkList {
        plugins = List.copyOf(plugins);
    }

    /// Reads a list of plugins that has all of them inside.
    ///
    /// @throws CniException if it is not one
    public static NetworkList parse(Bytes document) {
        return ListReader.read(document).complete();
    }

    /// Makes a list of one plugin out of the configuration of that plugin.
    ///
    /// @throws CniException if it is not one
    public static NetworkList ofSingle(Bytes document) {
        var plugin = PluginEntry.parse(document);
        var tree = JsonNodeFactory.instance
                .objectNode()
                .put("cniVersion", plugin.cniVersion())
                .put("name", plugin.name());
        tree.putArray("plugins").add(plugin.config().tree());
        return parse(Bytes.ofUtf8(CniJson.compact(CniJson.sorted(tree))));
    }

    NetworkList withMore(List<PluginEntry> others) {
        var all = new ArrayList<>(plugins);
        all.addAll(others);
        return new NetworkList(raw, name, cniVersion, disableCheck, disableGc, onlyInlined, all);
    }

    NetworkList complete() {
        if (plugins.isEmpty()) {
            throw new CniException(CniCode.UNKNOWN, "no plugin configs found");
        }
        return this;
    }
}
