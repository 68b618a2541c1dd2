package io.cadastre.agent.spiderpool;

import io.cadastre.agent.AgentHome;
import io.cadastre.agent.Withdrawal;
import io.cadastre.datastore.Bytes;
import io.cadastre.linux.probe.ProbeTiming;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.Namespaces.Relation;
import io.cadastre.wire.cni.StdinSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/// A container runtime that calls the plugin for one pod.
///
/// @param ifname the interface of the pod
/// @param log what the plugin complained of
record CallingRuntime(Spiderpool plugin, String netns, String ifname, List<String> log) {

    /// A namespace that is not asked for anything: users other than root may open it too.
    static final String SOME_NAMESPACE = "/proc/self/ns/net";

    static final Duration PATIENCE = Duration.ofSeconds(60);

    static final Supplier<Duration> PATIENT = () -> PATIENCE;

    /// @param socket where the plugin looks for the agent if the configuration names none
    static CallingRuntime with(Path socket) {
        return with(socket, PATIENCE, ProbeTiming.DEFAULT);
    }

    static CallingRuntime with(Path socket, Duration limit, ProbeTiming probes) {
        return with(new HttpSpiderpoolAgent(socket, () -> limit), limit, probes, Thread::sleep);
    }

    /// @param own whom the plugin asks if the configuration names no socket
    static CallingRuntime with(SpiderpoolAgent own, Duration limit, ProbeTiming probes, Pause pause) {
        var log = new CopyOnWriteArrayList<String>();
        return new CallingRuntime(
                new Spiderpool(own, new SpiderpoolLimits(limit, limit, probes), pause, log::add, AgentHome.of("a")),
                SOME_NAMESPACE,
                "eth0",
                log);
    }

    CallingRuntime in(String path) {
        return new CallingRuntime(plugin, path, ifname, log);
    }

    CallingRuntime on(String interfaceName) {
        return new CallingRuntime(plugin, netns, interfaceName, log);
    }

    /// A configuration that names no socket.
    static String config(String version) {
        return config(version, "");
    }

    /// @param ipam members of `ipam`, each after a comma
    static String config(String version, String ipam) {
        return """
            {"cniVersion":"%s","name":"net","type":"macvlan","ipam":{"type":"spiderpool"%s}}\
            """.formatted(version, ipam);
    }

    CniAnswer call(CniVerb verb, String config) {
        return call(verb, config, new Withdrawal());
    }

    CniAnswer call(CniVerb verb, String config, Withdrawal withdrawal) {
        var environment = new TreeMap<String, String>();
        environment.put("CNI_COMMAND", verb.name());
        environment.put("CNI_CONTAINERID", "c9");
        environment.put("CNI_NETNS", netns);
        environment.put("CNI_IFNAME", ifname);
        environment.put("CNI_PATH", "/none");
        environment.put("CNI_ARGS", "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=cart-0;K8S_POD_UID=6d0e");
        return plugin.forCall(withdrawal)
                .answer(environment, StdinSource.of(Bytes.ofUtf8(config)), _ -> Relation.OTHER);
    }

    CniResult add(String config) {
        var answer = call(CniVerb.ADD, config);
        if (answer.exitCode() != 0) {
            throw new AssertionError(answer.stdout().utf8());
        }
        return CniResult.parse(answer.stdout());
    }

    /// A call that succeeds and prints nothing.
    void succeed(CniVerb verb, String config) {
        var answer = call(verb, config);
        if (answer.exitCode() != 0 || answer.stdout().size() != 0) {
            throw new AssertionError(answer.stdout().utf8());
        }
    }

    /// The error of a call that fails.
    CniError refusal(CniVerb verb, String config) {
        var answer = call(verb, config);
        if (answer.exitCode() == 0) {
            throw new AssertionError("succeeded: " + answer.stdout().utf8());
        }
        return CniError.parse(answer.stdout());
    }
}
