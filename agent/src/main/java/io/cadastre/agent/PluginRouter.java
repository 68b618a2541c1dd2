package io.cadastre.agent;

import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import io.cadastre.wire.cni.Namespaces;
import io.cadastre.wire.cni.NetworkConfig;
import io.cadastre.wire.cni.StdinSource;

/// Passes each call to the plugin that it is for, and reports refused ADDs.
public final class PluginRouter {

    private final ServedPlugins plugins;
    private final Namespaces namespaces;
    private final AddFailureListener refusals;

    /// @param refusals is called for ADDs that are refused
    public PluginRouter(ServedPlugins plugins, Namespaces namespaces, AddFailureListener refusals) {
        this.plugins = plugins;
        this.namespaces = namespaces;
        this.refusals = refusals;
    }

    /// Answers the call. Whatever happens, there is an answer.
    CniAnswer answer(Call call, Withdrawal withdrawal) {
        var answer = plainAnswer(call, withdrawal);
        if (answer.exitCode() != 0 && Agent.is(call, CniVerb.ADD)) {
            refusals.refused(call, CniError.parse(answer.stdout()));
        }
        return answer;
    }

    private CniAnswer plainAnswer(Call call, Withdrawal withdrawal) {
        try {
            return call.plugin().equals(ServedPlugins.OWN_NAME)
                    ? answerByDialect(call, withdrawal)
                    : answerUnread(plugins.named(call.plugin()), call, withdrawal);
        } catch (CniException failure) {
            return CniAnswer.failure(failure.error(), CniVersion.NEWEST);
        }
    }

    /// A configuration that cannot be read here is read again by the plugin, which reports what is wrong with it in
    /// the order in which the protocol checks things.
    private CniAnswer answerByDialect(Call call, Withdrawal withdrawal) {
        NetworkConfig config;
        String dialect;
        try {
            config = NetworkConfig.read(call.stdin());
            dialect = ServedPlugins.dialect(config, "");
        } catch (CniException _) {
            return answerUnread(plugins.ofDialect(""), call, withdrawal);
        }
        return plugins.ofDialect(dialect).forCall(withdrawal).answer(call.environment(), config, namespaces);
    }

    private CniAnswer answerUnread(Plugin plugin, Call call, Withdrawal withdrawal) {
        return plugin.forCall(withdrawal).answer(call.environment(), StdinSource.of(call.stdin()), namespaces);
    }

    /// What no two calls have at the same time: a container, but a plugin that starts programs and those that
    /// these may call have turns of their own.
    String turn(Call call) {
        return (startsPrograms(call) ? "outer/" : "inner/") + Agent.container(call);
    }

    /// Whether its plugin starts programs, which may call this agent.
    boolean startsPrograms(Call call) {
        return plugins.startsPrograms(call.plugin());
    }
}
