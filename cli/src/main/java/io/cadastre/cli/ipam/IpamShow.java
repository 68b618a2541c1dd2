package io.cadastre.cli.ipam;

import io.cadastre.address.Family;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.AddressAttributes;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockRefusal;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "show",
        description = {
            "Show the utilization of pools; SpiderIPPools follow in a table of their own if there are any.",
            "If several options are given, the first of --ip, --show-blocks, --show-borrowed and"
                    + " --show-configuration applies."
        },
        footer = {
            "Examples:",
            "  cadastre ipam show",
            "  cadastre ipam show --show-blocks",
            "  cadastre ipam show --ip 10.244.0.17",
            "  cadastre ipam show --show-borrowed -o json"
        })
final class IpamShow implements Callable<Integer> {

    private final CommandContext context;

    @Option(names = "--ip", paramLabel = "ADDRESS", defaultValue = "", description = "Show the holder of this address.")
    private String ip = "";

    @Option(names = "--show-blocks", description = "Also show each block.")
    private boolean showBlocks;

    @Option(names = "--show-borrowed", description = "Show addresses that a node holds in the block of another node.")
    private boolean showBorrowed;

    @Option(names = "--show-configuration", description = "Show the cluster-wide configuration.")
    private boolean showConfiguration;

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    IpamShow(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (!ip.isEmpty()) {
            TypedAddress.parse(ip);
        }
        try (var ipam = CalicoSession.openToLook(options, context);
                var _ = Progress.show(context, () -> "reading blocks")) {
            view(ipam).print(context.out(), formatOption.format());
        }
        return ExitCode.DONE;
    }

    private IpamReport view(CalicoSession ipam) {
        if (!ip.isEmpty()) {
            return holder(ipam);
        }
        if (showBorrowed && !showBlocks) {
            return BorrowedReport.of(ipam.ask(view -> Arrays.stream(Family.values())
                    .flatMap(family -> view.blocks(family).stream())
                    .toList()));
        }
        if (showConfiguration && !showBlocks) {
            return new ConfigurationReport(ipam.ask(view -> view.config()));
        }
        return new UtilizationReport(
                ipam.ask(view -> BlockQueries.utilization(view, List.of())),
                showBlocks,
                SpiderPools.fetch(ipam).uses());
    }

    private IpamReport holder(CalicoSession ipam) {
        var address = TypedAddress.parse(ip);
        return switch (ipam.ask(view -> BlockQueries.attributesOf(view, address, ipam.now()))) {
            case AddressAttributes.Assigned(var held) -> new HolderReport.Held(address, held);
            case AddressAttributes.Refused(var refusal) -> {
                if (refusal instanceof BlockRefusal.NotThere) {
                    yield SpiderPools.fetch(ipam)
                            .find(address)
                            .<HolderReport>map(held -> new HolderReport.Recorded(
                                    address, held.pool().name(), held.record()))
                            .orElseGet(() -> new HolderReport.Free(address));
                }
                throw new CommandRefusedException(refusal.sentence());
            }
        };
    }
}
