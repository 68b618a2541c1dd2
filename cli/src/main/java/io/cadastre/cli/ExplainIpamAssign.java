package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "assign",
        description =
                "Show which addresses a node would be given, and which pools and blocks were taken"
                        + " or passed over. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain ipam assign --node node-1",
            "  cadastre explain ipam assign --node node-1 --ip 10.244.0.17 -o json"
        })
final class ExplainIpamAssign implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final AssignOptions assignOptions = new AssignOptions();
    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    ExplainIpamAssign(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        assignOptions.check();
        return IpamExplanation.ofAssigning(assignOptions, options, surroundings)
                .print(surroundings.out(), formatOption.format());
    }
}
