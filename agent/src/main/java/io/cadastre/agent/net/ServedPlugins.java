package io.cadastre.agent.net;

import io.cadastre.agent.Plugin;
import io.cadastre.agent.PluginRouter;
import io.cadastre.agent.Withdrawal;
import io.cadastre.wire.cni.CniPlugin;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The plugins that this process serves. Starting a program that only calls this process again would be a
/// detour, and its call would wait for the one that it serves.
@FunctionalInterface
public interface ServedPlugins {

    /// The plugin of this name.
    ///
    /// @param type the name it is called by
    Optional<CniPlugin> find(String type, NetworkConfig config);

    /// Those that an agent serves by their names, and by the dialect that a configuration of our own plugin
    /// names. A caller takes back what they gave if its own answer does not arrive.
    static ServedPlugins of(Map<String, Plugin> byName, Map<String, Plugin> byDialect, String defaultDialect) {
        var names = new TreeMap<>(byName);
        var dialects = new TreeMap<>(byDialect);
        return (type, config) -> {
            return type.equals(PluginRouter.OWN_NAME)
                    ? find(dialects, PluginRouter.dialect(config, defaultDialect))
                    : find(names, type);
        };
    }

    private static Optional<CniPlugin> find(Map<String, Plugin> plugins, String name) {
        return Optional.ofNullable(plugins.get(name)).map(plugin -> plugin.forCall(new Withdrawal()));
    }
}
