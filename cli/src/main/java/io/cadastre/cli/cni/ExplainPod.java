package io.cadastre.cli.cni;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.cni.runtime.NetworkConfigFolder;
import io.cadastre.wire.kubernetes.NodeName;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pod",
        description = {
            "Show which addresses a pod would get if it started now, and which pools, blocks and"
                    + " ranges would be used or skipped. Nothing is written.",
            "Considers the annotations of the pod and its namespace if the store has them."
        },
        footer = {
            "Examples:",
            "  cadastre explain pod shop/web-0",
            "  cadastre explain pod shop/web-0 --node node-2 --net blue",
            "  cadastre explain pod shop/web-0 --ipam '{\"type\":\"spiderpool\"}'"
        })
public final class ExplainPod implements Callable<Integer> {

    /// A container that does not exist, so that the pod seems to have nothing yet.
    private static final String CONTAINER = "explained";

    private final CommandContext context;

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

    @Option(
            names = "--net",
            paramLabel = "NET",
            defaultValue = "",
            description = "Network of the pod; default: one that uses Calico's pools.")
    private String network = "";

    @Mixin
    private final IpamSectionOption ipamOption = new IpamSectionOption();

    @Option(
            names = "--container",
            paramLabel = "ID",
            defaultValue = "",
            description = "Container ID; default: a container without addresses.")
    private String container = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            defaultValue = AttachmentOptions.CONF_DIRECTORY,
            description = "Directory of network configurations; default ${DEFAULT-VALUE}.")
    private String confDirectory = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainPod(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        int slash = pod.indexOf('/');
        var namespace = slash < 0 ? "default" : pod.substring(0, slash);
        var name = pod.substring(slash + 1);
        if (namespace.isEmpty() || name.isEmpty() || name.indexOf('/') >= 0) {
            throw new UsageException("'%s' is not NAMESPACE/NAME, as in shop/web-0".formatted(pod));
        }
        if (!node.isEmpty()) {
            NodeName.fault(node).ifPresent(fault -> {
                throw new UsageException(fault);
            });
        }
        try (var ipam = CalicoSession.openToExplain(options, context)) {
            return asked(namespace, name, ipam.session().pods())
                    .explain(ipam.session())
                    .print(context.out(), formatOption.format());
        }
    }

    private ExplainedCall asked(String namespace, String name, StoredPods pods) {
        var host =
                node.isEmpty() ? pods.findNodeOf(namespace, name).orElseThrow(() -> nodeless(namespace, name)) : node;
        var call = new ExplainedCall(
                "pod %s/%s on node %s".formatted(namespace, name, host),
                host,
                explainedNetwork(),
                container.isEmpty() ? CONTAINER : container,
                CniTool.IFNAME,
                "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s".formatted(namespace, name));
        return named() ? call.annotatedIn(pods) : call.annotatedAs(pods, namespace, name);
    }

    /// Whether the network is one that is configured.
    private boolean named() {
        return !network.isEmpty() && ipamOption.section().isEmpty();
    }

    private ExplainedNetwork explainedNetwork() {
        if (named()) {
            return ExplainedNetwork.in(new NetworkConfigFolder(Path.of(confDirectory)).load(network));
        }
        var section = ipamOption.section();
        return section.isEmpty() ? ExplainedNetwork.ofPods() : ExplainedNetwork.of(network, section);
    }

    private static CommandRefusedException nodeless(String namespace, String name) {
        return new CommandRefusedException(
                "the store has no pod %s/%s that runs on a node; give a node with --node".formatted(namespace, name));
    }
}
