package io.cadastre.cli;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.cni.runtime.NetworkFolder;
import io.cadastre.wire.kubernetes.NodeName;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.concurrent.Callable;

@Command(
        name = "pod",
        description = {
            "Show which addresses a pod would be given if it were started now, and which pools,"
                    + " blocks and ranges were taken or passed over. Nothing is written.",
            "Its annotations and those of its namespace count, where the store has them."
        },
        footer = {
            "Examples:",
            "  cadastre explain pod shop/web-0",
            "  cadastre explain pod shop/web-0 --node node-2 --net blue",
            "  cadastre explain pod shop/web-0 --ipam '{\"type\":\"spiderpool\"}'"
        })
final class ExplainPod implements Callable<Integer> {

    /// A container that there is not, so that the pod seems to have nothing yet.
    private static final String CONTAINER = "explained";

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE/NAME",
            description = "The pod; of the namespace default if none is said.")
    private String pod = "";

    @Option(
            names = "--node",
            paramLabel = "NODE",
            defaultValue = "",
            description = "The node it would run on; default the one it runs on.")
    private String node = "";

    @Option(
            names = "--net",
            paramLabel = "NET",
            defaultValue = "",
            description = "Its network; default one that leaves all to Calico's pools.")
    private String network = "";

    @Option(
            names = "--ipam",
            paramLabel = "JSON",
            defaultValue = "",
            description = "The ipam part of its network, in place of the one in --conf-dir.")
    private String ipam = "";

    @Option(
            names = "--container",
            paramLabel = "ID",
            defaultValue = "",
            description = "Its container; default one that has nothing yet.")
    private String container = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            defaultValue = AttachmentOptions.CONF_DIRECTORY,
            description = "Where the networks are; default ${DEFAULT-VALUE}.")
    private String confDirectory = "";

    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    ExplainPod(Surroundings surroundings) {
        this.surroundings = surroundings;
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
            NodeName.fault(node)
                    .ifPresent(
                            fault -> {
                                throw new UsageException(fault);
                            });
        }
        try (var desk = IpamDesk.openToExplain(options, surroundings)) {
            return asked(namespace, name, desk.office().pods())
                    .explain(desk.office())
                    .print(surroundings.out(), formatOption.format());
        }
    }

    private ExplainedCall asked(String namespace, String name, StoredPods pods) {
        var host =
                node.isEmpty()
                        ? pods.findNodeOf(namespace, name)
                                .orElseThrow(() -> nodeless(namespace, name))
                        : node;
        var call =
                new ExplainedCall(
                        "pod %s/%s on node %s".formatted(namespace, name, host),
                        host,
                        explainedNetwork(),
                        container.isEmpty() ? CONTAINER : container,
                        CniTool.IFNAME,
                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s"
                                .formatted(namespace, name));
        return named() ? call.annotatedIn(pods) : call.annotatedAs(pods, namespace, name);
    }

    /// Whether the network is one that is configured.
    private boolean named() {
        return !network.isEmpty() && ipam.isEmpty();
    }

    private ExplainedNetwork explainedNetwork() {
        if (named()) {
            return ExplainedNetwork.in(new NetworkFolder(Path.of(confDirectory)).load(network));
        }
        return ipam.isEmpty() ? ExplainedNetwork.ofPods() : ExplainedNetwork.of(network, ipam);
    }

    private static RefusedException nodeless(String namespace, String name) {
        return new RefusedException(
                "this store has no pod %s/%s that runs on a node; say with --node where it would run"
                        .formatted(namespace, name));
    }
}
