package io.cadastre.cli.cni;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.UsageException;
import io.cadastre.wire.kubernetes.NodeName;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// A pod whose addresses are explained, and where it runs.
final class ExplainedPodOptions {

    /// A container that does not exist, so that the pod seems to have nothing yet.
    static final String CONTAINER = "explained";

    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE/NAME",
            description = "Pod to explain; the namespace is 'default' if not given.")
    private String pod = "";

    @Option(
            names = "--node",
            paramLabel = "NODE",
            defaultValue = "",
            description = "Node to run the pod on; default: the node it runs on.")
    private String node = "";

    /// @throws UsageException if the pod or the node is not a name
    void check() {
        if (namespace().isEmpty() || name().isEmpty() || name().indexOf('/') >= 0) {
            throw new UsageException("'%s' is not NAMESPACE/NAME, as in shop/web-0".formatted(pod));
        }
        if (!node.isEmpty()) {
            NodeName.fault(node).ifPresent(fault -> {
                throw new UsageException(fault);
            });
        }
    }

    String namespace() {
        int slash = pod.indexOf('/');
        return slash < 0 ? "default" : pod.substring(0, slash);
    }

    String name() {
        return pod.substring(pod.indexOf('/') + 1);
    }

    /// The node that is given, or else the one that the pod runs on.
    ///
    /// @throws CommandRefusedException if neither is known
    String node(StoredPods pods) {
        return node.isEmpty()
                ? pods.findNodeOf(namespace(), name())
                        .orElseThrow(() -> new CommandRefusedException(
                                "the store has no pod %s that runs on a node; give a node with --node".formatted(this)))
                : node;
    }

    /// The text of `CNI_ARGS` for the pod.
    String arguments() {
        return "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s".formatted(namespace(), name());
    }

    @Override
    public String toString() {
        return namespace() + "/" + name();
    }
}
