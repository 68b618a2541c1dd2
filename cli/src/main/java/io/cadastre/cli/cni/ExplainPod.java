package io.cadastre.cli.cni;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.cni.runtime.NetworkConfigFolder;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    private final CommandContext context;

    @Mixin
    private final ExplainedPodOptions pod = new ExplainedPodOptions();

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
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainPod(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        pod.check();
        try (var ipam = CalicoSession.openToExplain(options, context)) {
            return asked(ipam.session().pods())
                    .explain(ipam.session(), spiderpool)
                    .print(context.out(), formatOption.format());
        }
    }

    private ExplainedCall asked(StoredPods pods) {
        var host = pod.node(pods);
        var call = new ExplainedCall(
                "pod %s on node %s".formatted(pod, host),
                host,
                explainedNetwork(),
                container.isEmpty() ? ExplainedPodOptions.CONTAINER : container,
                CniTool.IFNAME,
                pod.arguments());
        return named() ? call.annotatedIn(pods) : call.annotatedAs(pods, pod.namespace(), pod.name());
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
}
