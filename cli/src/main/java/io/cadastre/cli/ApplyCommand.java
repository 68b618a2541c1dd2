package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "apply",
        description = {
            "Create resources, or have them take the place of those that are stored.",
            "Kinds: IPPool, IPReservation, IPAMConfiguration, Node, ClusterInformation; each with"
                    + " apiVersion projectcalico.org/v3; and SpiderIPPool, SpiderReservedIP, with"
                    + " apiVersion spiderpool.spidernet.io/v2beta1. Documents are applied in their"
                    + " order; a refused one does not stop the others."
        },
        footer = {
            "Examples:",
            "  cadastre apply -f pool.yaml",
            "  cadastre get ippools -o yaml | cadastre apply -f -"
        })
final class ApplyCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final ManifestFiles files = new ManifestFiles();
    @Mixin private final CalicoOptions options = new CalicoOptions();

    ApplyCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return new ManifestRun(ManifestRun.Verb.APPLY, options, surroundings).run(files.names());
    }
}
