package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.session.StoreOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "add",
        description = "Show which CIDR a node would get and why. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.244.0.0/16",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.0.0.0/16 \\",
            "      --service-cluster-ip-range 10.0.0.0/20 -o json"
        })
public final class ExplainNodeCidrAdd implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final NodeNames nodeNames = new NodeNames();

    @Mixin
    private final NodeCidrOptions nodeCidrOptions = new NodeCidrOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainNodeCidrAdd(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        nodeNames.checked();
        var node = nodeNames.single("explain");
        var config = nodeCidrOptions.config(context);
        if (config.isEmpty()) {
            return NodeCidrOptions.refuse(context, List.of(node));
        }
        return NodeCidrAdd.explain(node, config.get(), storeOptions, context)
                .print(context.out(), formatOption.format());
    }
}
