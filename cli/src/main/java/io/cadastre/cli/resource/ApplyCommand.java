package io.cadastre.cli.resource;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.session.CalicoOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "apply",
        description = {
            "Create or replace resources.",
            "Kinds: IPPool, IPReservation, IPAMConfiguration, Node, ClusterInformation; each with apiVersion"
                + " projectcalico.org/v3; SpiderIPPool, SpiderReservedIP, SpiderMultusConfig, SpiderCoordinator, with"
                + " apiVersion spiderpool.spidernet.io/v2beta1; CiliumNode, with apiVersion cilium.io/v2, and"
                + " CiliumPodIPPool, with apiVersion cilium.io/v2alpha1; ClusterCIDR, with apiVersion"
                + " networking.x-k8s.io/v1 or networking.k8s.io/v1alpha1; and Pod, Namespace and Node with apiVersion"
                + " v1, where the store is not a cluster. Documents are applied in order; a refused document does not"
                + " stop the rest."
        },
        footer = {"Examples:", "  cadastre apply -f pool.yaml", "  cadastre get ippools -o yaml | cadastre apply -f -"})
public final class ApplyCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final ManifestFiles files = new ManifestFiles();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    public ApplyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return new ManifestRun(ManifestRun.Verb.APPLY, options, context).run(files.names());
    }
}
