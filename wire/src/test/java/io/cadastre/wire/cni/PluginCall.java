package io.cadastre.wire.cni;

import io.cadastre.datastore.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A call of a plugin that is put together piece by piece, and the calls that its handlers saw.
final class PluginCall {

    static final String OWN_NAMESPACE = "/proc/self/ns/net";
    static final String LOST_NAMESPACE = "/proc/no-such-process/ns/net";

    private final Map<String, String> environment = new TreeMap<>();
    private final List<CniCall> seen = new ArrayList<>();
    private CniPlugin plugin = recording(CniVersion.KNOWN);
    private StdinSource stdin = StdinSource.of(Bytes.ofUtf8(""));

    private PluginCall() {}

    /// Everything that the verb could want.
    static PluginCall of(String verb) {
        var trial = new PluginCall();
        trial.environment.put("CNI_COMMAND", verb);
        trial.environment.put("CNI_CONTAINERID", "c1");
        trial.environment.put("CNI_NETNS", "/run/netns/c1");
        trial.environment.put("CNI_IFNAME", "eth0");
        trial.environment.put("CNI_ARGS", "IgnoreUnknown=1");
        trial.environment.put("CNI_PATH", "/opt/cni/bin:/usr/lib/cni");
        return trial.stdin("{\"cniVersion\":\"1.1.0\",\"name\":\"blue\",\"type\":\"probe\"}");
    }

    static PluginCall bare() {
        return new PluginCall();
    }

    PluginCall with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    PluginCall with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    PluginCall without(String... variables) {
        List.of(variables).forEach(environment::remove);
        return this;
    }

    PluginCall stdin(String text) {
        return stdin(StdinSource.of(Bytes.ofUtf8(text)));
    }

    PluginCall stdin(StdinSource source) {
        stdin = source;
        return this;
    }

    PluginCall at(String version) {
        return stdin("{\"cniVersion\":\"%s\",\"name\":\"blue\"}".formatted(version));
    }

    PluginCall supporting(String... versions) {
        plugin = recording(List.of(versions));
        return this;
    }

    PluginCall plugin(CniPlugin other) {
        plugin = other;
        return this;
    }

    PluginCall about(String text) {
        plugin = plugin.withAbout(text);
        return this;
    }

    private CniPlugin recording(List<String> versions) {
        return CniPlugin.supporting(versions)
                .onAdd(call -> {
                    seen.add(call);
                    return CniResult.ofAddresses(
                            List.of(CniIp.of(InterfaceAddress.parse("10.9.0.7/24"))), List.of(), CniDns.NONE);
                })
                .onDel(seen::add)
                .onCheck(seen::add)
                .onGc(seen::add)
                .onStatus(seen::add);
    }

    CniAnswer run() {
        return plugin.answer(environment, stdin, path -> switch (path) {
            case OWN_NAMESPACE -> Namespaces.Relation.SAME;
            case LOST_NAMESPACE -> Namespaces.Relation.OWN_NOT_OPENED;
            case "/run/netns/c1" -> Namespaces.Relation.OTHER;
            default -> Namespaces.Relation.NOT_OPENED;
        });
    }

    /// The error that the call ends with.
    CniError error() {
        var answer = run();
        if (answer.exitCode() != 1) {
            throw new AssertionError("the call did not fail: " + answer);
        }
        return CniError.parse(answer.stdout());
    }

    List<CniCall> seen() {
        return seen;
    }
}
