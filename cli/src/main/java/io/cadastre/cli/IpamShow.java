package io.cadastre.cli;

import io.cadastre.address.Family;
import io.cadastre.engine.block.AddressAttributes;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockRefusal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "show",
        description = {
            "Show how much of the pools is used.",
            "Of several switches the first of --ip, --show-blocks, --show-borrowed and"
                    + " --show-configuration counts."
        },
        footer = {
            "Examples:",
            "  cadastre ipam show",
            "  cadastre ipam show --show-blocks",
            "  cadastre ipam show --ip 10.244.0.17",
            "  cadastre ipam show --show-borrowed -o json"
        })
final class IpamShow implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(
            names = "--ip",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description = "Who holds this address.")
    private String ip = "";

    @Option(names = "--show-blocks", description = "Also each block.")
    private boolean showBlocks;

    @Option(
            names = "--show-borrowed",
            description = "The addresses that a node has from the block of another.")
    private boolean showBorrowed;

    @Option(names = "--show-configuration", description = "What is configured for all nodes.")
    private boolean showConfiguration;

    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    IpamShow(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!ip.isEmpty()) {
            AddressText.parse(ip);
        }
        try (var desk = IpamDesk.openToLook(options, surroundings);
                var _ = Progress.show(surroundings, () -> "reading blocks")) {
            view(desk).print(surroundings.out(), formatOption.format());
        }
        return ExitCode.DONE;
    }

    private IpamReport view(IpamDesk desk) {
        if (!ip.isEmpty()) {
            return holder(desk);
        }
        if (showBorrowed && !showBlocks) {
            return BorrowedReport.of(
                    desk.ask(
                            view ->
                                    Arrays.stream(Family.values())
                                            .flatMap(family -> view.blocks(family).stream())
                                            .toList()));
        }
        if (showConfiguration && !showBlocks) {
            return new ConfigurationReport(desk.ask(view -> view.config()));
        }
        return new UtilizationReport(
                desk.ask(view -> BlockQueries.utilization(view, List.of())), showBlocks);
    }

    private IpamReport holder(IpamDesk desk) {
        var address = AddressText.parse(ip);
        return switch (desk.ask(view -> BlockQueries.attributesOf(view, address, desk.now()))) {
            case AddressAttributes.Assigned(var held) -> new HolderReport.Held(address, held);
            case AddressAttributes.Refused(var refusal) -> {
                if (refusal instanceof BlockRefusal.NotThere) {
                    yield new HolderReport.Free(address);
                }
                throw new RefusedException(refusal.sentence());
            }
        };
    }
}
