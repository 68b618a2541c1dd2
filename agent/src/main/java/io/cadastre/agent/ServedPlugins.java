package io.cadastre.agent;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The plugins that this process serves: by the name that a call or a configuration gives, and under our own name by
/// the `dialect` in the `ipam` part of the configuration.
public final class ServedPlugins {

    /// The plugin whose dialect the configuration chooses.
    public static final String OWN_NAME = "cadastre-ipam";

    private static final String DIALECT = "dialect";

    private final SortedMap<String, Plugin> byName;
    private final SortedMap<String, Plugin> byDialect;
    private final String defaultDialect;

    /// @param defaultDialect the one that answers where none is chosen
    public ServedPlugins(Map<String, Plugin> byName, Map<String, Plugin> byDialect, String defaultDialect) {
        this.byName = new TreeMap<>(byName);
        this.byDialect = new TreeMap<>(byDialect);
        this.defaultDialect = defaultDialect;
        if (!byDialect.containsKey(defaultDialect)) {
            throw new IllegalArgumentException("no plugin serves the default dialect " + defaultDialect);
        }
    }

    /// These plugins, and more by their names.
    public ServedPlugins with(Map<String, Plugin> more) {
        var names = new HashMap<>(byName);
        names.putAll(more);
        return new ServedPlugins(names, byDialect, defaultDialect);
    }

    /// The plugin that a configuration names; empty if this process does not serve it.
    public Optional<Plugin> find(String name, NetworkConfig config) {
        return Optional.ofNullable(
                name.equals(OWN_NAME) ? byDialect.get(dialect(config, defaultDialect)) : byName.get(name));
    }

    /// @throws CniException if this process does not serve it
    Plugin named(String name) {
        return served(byName, "type", name);
    }

    /// The plugin under our own name.
    ///
    /// @param dialect as it is written, empty for the default
    /// @throws CniException if this process does not serve it
    Plugin ofDialect(String dialect) {
        return served(byDialect, "ipam." + DIALECT, dialect.isEmpty() ? defaultDialect : dialect);
    }

    private static Plugin served(SortedMap<String, Plugin> plugins, String field, String value) {
        var plugin = plugins.get(value);
        if (plugin == null) {
            throw new CniException(
                    CniCode.UNSUPPORTED_FIELD,
                    "%s: '%s' is not supported by this agent".formatted(field, value),
                    "supported: " + String.join(", ", plugins.keySet()));
        }
        return plugin;
    }

    /// Whether the plugin of this name starts programs, which may call this agent.
    boolean startsPrograms(String name) {
        return Optional.ofNullable(byName.get(name))
                .filter(Plugin::startsPrograms)
                .isPresent();
    }

    /// The dialect that a configuration of our own plugin chooses.
    ///
    /// @param otherwise where it chooses none
    public static String dialect(NetworkConfig config, String otherwise) {
        var chosen = config.ipam().map(ServedPlugins::dialect).orElse("");
        return chosen.isEmpty() ? otherwise : chosen;
    }

    /// The dialect that is written, or empty.
    static String dialect(Members ipam) {
        return ipam.text(DIALECT);
    }
}
