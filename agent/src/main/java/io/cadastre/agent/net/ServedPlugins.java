package io.cadastre.agent.net;

import io.cadastre.agent.Plugin;
import io.cadastre.agent.Switchboard;
import io.cadastre.agent.Withdrawal;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.NetworkConfig;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The plugins that are served by this process. To start a program that would only ring here again
/// would be a detour, and its call would wait for the one that it serves.
@FunctionalInterface
public interface ServedPlugins {

    /// The plugin of this name.
    ///
    /// @param type the name it is called by
    Optional<CniPlugin> find(String type, NetworkConfig config);

    /// Those that an agent serves by their names, and by the dialect that a configuration of our own
    /// plugin names. Whoever calls them takes back what they gave if his own answer does not arrive.
    static ServedPlugins of(
            Map<String, Plugin> byName, Map<String, Plugin> byDialect, String defaultDialect) {
        var names = new TreeMap<>(byName);
        var dialects = new TreeMap<>(byDialect);
        return (type, config) -> {
            return type.equals(Switchboard.OWN_NAME)
                    ? find(dialects, Switchboard.dialect(config, defaultDialect))
                    : find(names, type);
        };
    }

    private static Optional<CniPlugin> find(Map<String, Plugin> plugins, String name) {
        return Optional.ofNullable(plugins.get(name))
                .map(plugin -> plugin.forCall(new Withdrawal()));
    }
}
