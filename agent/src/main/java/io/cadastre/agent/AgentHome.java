package io.cadastre.agent;

import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniArguments;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.Members;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/// Which node an agent serves, and how commands get to its store.
///
/// @param node the name of the node
/// @param commandOptions the options with which a command uses the same store, as a shell reads them
public record AgentHome(String node, String commandOptions) {

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private static final String POD = "K8S_POD_NAME";
    private static final String NAMESPACE = "K8S_POD_NAMESPACE";

    private static final List<CniArguments.Key> KEYS = List.of(
            new CniArguments.Key(POD, CniArguments.Kind.TEXT), new CniArguments.Key(NAMESPACE, CniArguments.Kind.TEXT));

    /// One whose commands need no options.
    public static AgentHome of(String node) {
        return new AgentHome(node, "");
    }

    /// What to run to see why an ADD was refused. That of a pod is the same each time a runtime tries again,
    /// with another container, so that its event is one that is counted.
    ///
    /// @param host the node whose addresses are asked for
    public String hint(CniCall call, String host) {
        var arguments = CniArguments.parse(CalicoNetConfig.lenient(call.args()), KEYS);
        var words = new StringJoiner(" ");
        if (arguments.text(POD).isEmpty() || arguments.text(NAMESPACE).isEmpty()) {
            if (!call.args().isEmpty()) {
                words.add("CNI_ARGS=" + quoted(call.args()));
            }
            words.add("cadastre explain cni add")
                    .add(quoted(call.config().name()))
                    .add(quoted(call.netns()))
                    .add("--ifname " + quoted(call.ifname()))
                    .add("--container " + quoted(call.containerId()));
        } else {
            words.add("cadastre explain pod")
                    .add(quoted(arguments.text(NAMESPACE) + "/" + arguments.text(POD)))
                    .add("--net " + quoted(call.config().name()));
        }
        words.add("--node " + quoted(host));
        call.config().ipam().map(Members::tree).ifPresent(ipam -> words.add("--ipam " + quoted(ipam.toString())));
        if (!commandOptions.isEmpty()) {
            words.add(commandOptions);
        }
        return "to see why, run: " + words;
    }

    /// As a shell reads it.
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'%s'".formatted(word.replace("'", "'\\''"));
    }
}
