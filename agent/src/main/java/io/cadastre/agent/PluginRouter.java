package io.cadastre.agent;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.NetworkConfig;
import io.cadastre.wire.cni.StdinSource;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Finds the plugin that answers a call: by the name it was called by, and for our own name by the
/// `dialect` in the `ipam` part of the configuration.
public final class PluginRouter {

    /// The plugin whose dialect the configuration chooses.
    public static final String OWN_NAME = "cadastre-ipam";

    private static final String DIALECT = "dialect";

    private final SortedMap<String, Plugin> byName;
    private final SortedMap<String, Plugin> byDialect;
    private final String defaultDialect;
    private final Namespaces namespaces;
    private final AddFailureListener refusals;

    /// @param defaultDialect the one that answers where none is chosen
    /// @param refusals is called for ADDs that are refused
    public PluginRouter(
            Map<String, Plugin> byName,
            Map<String, Plugin> byDialect,
            String defaultDialect,
            Namespaces namespaces,
            AddFailureListener refusals) {
        this.byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        this.byDialect = Collections.unmodifiableSortedMap(new TreeMap<>(byDialect));
        this.defaultDialect = defaultDialect;
        this.namespaces = namespaces;
        this.refusals = refusals;
        if (!byDialect.containsKey(defaultDialect)) {
            throw new IllegalArgumentException("no plugin serves the default dialect " + defaultDialect);
        }
    }

    /// Answers the call. Whatever happens, there is an answer.
    CniAnswer answer(Call call, Withdrawal withdrawal) {
        var answer = plainAnswer(call, withdrawal);
        if (answer.exitCode() != 0 && call.variable("CNI_COMMAND").equals(CniVerb.ADD.name())) {
            refusals.refused(call, CniError.parse(answer.stdout()));
        }
        return answer;
    }

    private CniAnswer plainAnswer(Call call, Withdrawal withdrawal) {
        try {
            return choose(call)
                    .forCall(withdrawal)
                    .answer(call.environment(), StdinSource.of(call.stdin()), namespaces);
        } catch (CniException failure) {
            return CniAnswer.failure(failure.error(), CniVersion.NEWEST);
        }
    }

    /// What no two calls have at the same time: a container, but a plugin that starts programs and those that
    /// these may call have turns of their own.
    String turn(Call call) {
        return (startsPrograms(call) ? "outer/" : "inner/") + Agent.container(call);
    }

    /// Whether its plugin starts programs, which may call this agent.
    boolean startsPrograms(Call call) {
        var plugin = byName.get(call.plugin());
        return plugin != null && plugin.startsPrograms();
    }

    private Plugin choose(Call call) {
        if (call.plugin().equals(OWN_NAME)) {
            return find(byDialect, "ipam." + DIALECT, dialect(call));
        }
        return find(byName, "type", call.plugin());
    }

    private static Plugin find(SortedMap<String, Plugin> plugins, String field, String value) {
        var plugin = plugins.get(value);
        if (plugin == null) {
            throw new CniException(
                    CniCode.UNSUPPORTED_FIELD,
                    "%s: '%s' is not supported by this agent".formatted(field, value),
                    "supported: " + String.join(", ", plugins.keySet()));
        }
        return plugin;
    }

    /// A configuration that cannot be read here is read again by the plugin, which reports what is wrong
    /// with it in the order in which the protocol checks things.
    private String dialect(Call call) {
        try {
            return dialect(NetworkConfig.read(call.stdin()), defaultDialect);
        } catch (CniException _) {
            return defaultDialect;
        }
    }

    /// The dialect that a configuration of our own plugin chooses.
    ///
    /// @param otherwise where it chooses none
    public static String dialect(NetworkConfig config, String otherwise) {
        var chosen = config.ipam().map(PluginRouter::dialect).orElse("");
        return chosen.isEmpty() ? otherwise : chosen;
    }

    /// The dialect that is written, or empty.
    static String dialect(Members ipam) {
        return ipam.text(DIALECT);
    }
}
