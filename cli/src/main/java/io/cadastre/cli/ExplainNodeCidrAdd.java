package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "add",
        description = "Show which CIDR a node would be given and why. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.244.0.0/16",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.0.0.0/16 \\",
            "      --service-cluster-ip-range 10.0.0.0/20 -o json"
        })
final class ExplainNodeCidrAdd implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final NodeNames nodeNames = new NodeNames();
    @Mixin private final NodeCidrOptions nodeCidrOptions = new NodeCidrOptions();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    ExplainNodeCidrAdd(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        nodeNames.checked();
        var node = nodeNames.single("explain");
        var config = nodeCidrOptions.config(surroundings);
        if (config.isEmpty()) {
            return NodeCidrOptions.refuse(surroundings, List.of(node));
        }
        var explanation =
                NodeCidrExplanation.ofAdding(node, config.get(), storeOptions, surroundings);
        explanation.print(surroundings.out(), formatOption.format());
        return explanation.exitCode();
    }
}
