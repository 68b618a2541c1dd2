package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.session.CalicoOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "assign",
        description = "Show which addresses a node would get, and which pools and blocks would be"
                + " used or skipped. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain ipam assign --node node-1",
            "  cadastre explain ipam assign --node node-1 --ip 10.244.0.17 -o json"
        })
public final class ExplainIpamAssign implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final AssignOptions assignOptions = new AssignOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainIpamAssign(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        assignOptions.check();
        return IpamExplanation.ofAssigning(assignOptions, options, context).print(context.out(), formatOption.format());
    }
}
