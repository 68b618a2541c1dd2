package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.nodecidr.NodeAllocation;
import io.cadastre.cli.nodecidr.NodeIpamOptions;
import io.cadastre.cli.session.Cluster;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.controller.ChosenLoops;
import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.GoDuration;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.nodecidr.NodeIpam;
import io.cadastre.controller.spiderpool.webhook.SpiderWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "controller",
        description = {
            "Release the addresses of deleted pods and nodes, and blocks that stay empty, and assign CIDRs to"
                    + " Nodes, until interrupted.",
            "Several controllers may run; a Lease elects the active one. Pods and nodes are read from"
                    + " the Kubernetes API, also with etcdv3 (see KUBECONFIG), or from the embedded"
                    + " store; if none are found, nothing is released. With etcdv3 and no Kubernetes"
                    + " API, only blocks that stay empty are released, no addresses."
        },
        footer = {
            "Examples:",
            "  cadastre controller",
            "  cadastre controller --controllers garbage-collector",
            "  KUBECONFIG=admin.conf cadastre controller --datastore etcdv3 --leak-grace-period 5m",
            "  KUBECONFIG=admin.conf cadastre controller --datastore kubernetes \\",
            "      --allocate-node-cidrs --cluster-cidr 10.244.0.0/16"
        })
public final class ControllerCommand implements Callable<Integer> {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final CommandContext context;

    @Option(
            names = "--identity",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Identity of this process in the Lease; default: the host name and a random suffix.")
    private String identity = "";

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "kube-system",
            description = "Namespace of the Lease; default ${DEFAULT-VALUE}.")
    private String leaseNamespace = "";

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            defaultValue = "cadastre-controller",
            description = "Name of the Lease; default ${DEFAULT-VALUE}.")
    private String leaseName = "";

    @Option(
            names = "--controllers",
            paramLabel = "NAMES",
            split = ",",
            defaultValue = "*",
            description = {
                "Control loops to run: '*' is all of them, 'name' is that one, '-name' is all but that one if"
                        + " '*' is given too; default ${DEFAULT-VALUE}.",
                "Known: garbage-collector, which releases what is not in use; node-ipam-controller (nodeipam),"
                        + " which assigns CIDRs to Nodes, with --allocate-node-cidrs; spiderpool-gc, which"
                        + " releases addresses of SpiderIPPools whose pods are gone, as the variables"
                        + " SPIDERPOOL_GC_... say; spiderpool-metrics, which counts SpiderIPPools and"
                        + " SpiderSubnets, if SPIDERPOOL_ENABLED_METRIC is true; spiderpool-multus, which writes the"
                        + " NetworkAttachmentDefinition of each SpiderMultusConfig; spiderpool-status, which counts the"
                        + " addresses of SpiderIPPools and lets deleted ones go; spiderpool-subnet, which makes"
                        + " SpiderIPPools of SpiderSubnets for applications and takes them back; spiderpool-webhook,"
                        + " which reviews Spiderpool's objects for the API server, with --webhook-service or"
                        + " --webhook-url. spiderpool-multus and spiderpool-subnet run only if they are named, as in"
                        + " '*,spiderpool-subnet': Spiderpool's own controller does the same work."
            })
    private List<String> controllers = List.of();

    @Option(
            names = "--leak-grace-period",
            paramLabel = "DURATION",
            defaultValue = "",
            description = {
                "How long an address must appear unused, or a block stay empty, before it is"
                        + " released, for example 15m. With 0, only addresses and blocks of deleted"
                        + " nodes are released.",
                "Default: the value in KubeControllersConfiguration 'default', or 15m."
            })
    private String leakGracePeriod = "";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1:9094",
            description = "Address and port that serve /livez, /readyz and /metrics; without a host,"
                    + " all local addresses; default ${DEFAULT-VALUE}.")
    private String listen = "";

    @Mixin
    private final NodeIpamOptions nodeIpam = new NodeIpamOptions();

    @Mixin
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final WebhookOptions webhook = new WebhookOptions();

    @Mixin
    private final RetentionOptions retention = new RetentionOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    public ControllerCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var chosen = new ChosenLoops(
                controllers.stream()
                        .map(name -> name.replaceFirst("^(-?)" + NodeIpam.ALIAS + "$", "$1" + NodeIpam.NAME))
                        .toList(),
                SpiderpoolLoops.OFF_BY_DEFAULT);
        chosen.fault(ControllerRun.LOOPS).ifPresent(fault -> {
            throw new UsageException("--controllers: " + fault);
        });
        var election = election();
        var grace = leakGrace();
        var address = ListenAddress.parse("--listen", listen);
        var nodeCidrs =
                chosen.includes(NodeIpam.NAME) ? nodeIpam.allocation(context) : Optional.<NodeAllocation>empty();
        var pools = SpiderpoolLoops.read(chosen, spiderpool, context);
        if (chosen.includes(SpiderWebhook.NAME)) {
            pools = pools.serving(webhook.find(spiderpool.settings(context), leaseNamespace, storeOptions, context));
        }
        if (pools.webhooks().isEmpty() && controllers.contains(SpiderWebhook.NAME)) {
            throw new UsageException(WebhookOptions.missing());
        }
        if (nodeCidrs.isPresent()) {
            checkNodes();
        } else if (!chosen.includes(GarbageCollection.NAME) && pools.isEmpty()) {
            throw new UsageException("no controller runs: node-ipam-controller needs --allocate-node-cidrs"
                    + SpiderpoolLoops.silence(chosen));
        }
        return new ControllerRun(context, storeOptions, retention.bounds())
                .run(new ControllerSettings(election, address), chosen, grace, nodeCidrs, nodeIpam.rate(), pools);
    }

    private void checkNodes() {
        if (storeOptions.kind(context.environment()) == StoreOptions.Kind.EMBEDDED) {
            throw new UsageException("--allocate-node-cidrs assigns CIDRs to the Nodes of a Kubernetes API; give"
                    + " --datastore kubernetes, or without a cluster use 'cadastre node-cidr add'");
        }
        Cluster.checkNodes(storeOptions, context);
    }

    private ElectionSettings election() {
        checkName("--lease-namespace", leaseNamespace);
        checkName("--lease-name", leaseName);
        return ElectionSettings.of(leaseNamespace, leaseName, identity.isEmpty() ? anyIdentity() : identity);
    }

    private static void checkName(String option, String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new UsageException("%s '%s' is not a valid name".formatted(option, name));
        }
    }

    /// As controllers of Kubernetes make it.
    private String anyIdentity() {
        var random = HexFormat.of().toHexDigits(context.dice().nextLong());
        try {
            return Files.readString(HOST_NAME).strip() + "_" + random;
        } catch (IOException unreadable) {
            throw new UsageException("cannot determine the host name; set --identity");
        }
    }

    private LeakGrace leakGrace() {
        if (leakGracePeriod.isEmpty()) {
            return new LeakGrace.Configured();
        }
        return GoDuration.parse(leakGracePeriod)
                .<LeakGrace>map(LeakGrace.Fixed::new)
                .orElseThrow(
                        () -> new UsageException("--leak-grace-period '%s' is not a duration; write it as 15m or 90s"
                                .formatted(leakGracePeriod)));
    }
}
