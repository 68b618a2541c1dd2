package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "release",
        description = {
            "Release an address regardless of its holder, or every address that a report lists as unused.",
            "Make sure that the address is no longer in use: it can be assigned again at once.",
            "An address of a SpiderIPPool is released if its pod is gone, or with --force."
        },
        footer = {
            "Examples:",
            "  cadastre ipam release --ip 10.244.0.17",
            "  cadastre ipam release --from-report report.json"
        })
final class IpamRelease implements Callable<Integer> {

    private final CommandContext context;

    @Option(names = "--ip", paramLabel = "ADDRESS", defaultValue = "", description = "Address to release.")
    private String ip = "";

    @Option(
            names = "--from-report",
            paramLabel = "FILE",
            description = {
                "Report written by 'cadastre ipam check -o'; may be repeated. Only addresses that"
                        + " every report lists as unused are released.",
                "The datastore must be locked, and the report must be of this cluster."
            })
    private List<String> files = List.of();

    @Option(
            names = "--force",
            description = "Release even if the datastore is not locked or the version differs, or the pod that a"
                    + " SpiderIPPool records is alive.")
    private boolean force;

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamRelease(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (ip.isEmpty() == files.isEmpty()) {
            throw new UsageException("specify either --ip or --from-report");
        }
        return ip.isEmpty() ? releaseReported() : releaseAddress();
    }

    private int releaseReported() {
        var reports = files.stream().map(InspectionReport::read).toList();
        try (var ipam = CalicoSession.open(options, context)) {
            new ReportRelease(
                            ipam,
                            context,
                            reports,
                            force ? ReportRelease.Caution.FORCED : ReportRelease.Caution.CAREFUL)
                    .run();
        }
        return ExitCode.DONE;
    }

    private int releaseAddress() {
        var address = TypedAddress.parse(ip);
        try (var ipam = CalicoSession.open(options, context)) {
            var held = SpiderPools.fetch(ipam).find(address);
            if (held.isPresent()) {
                return releaseOfPool(new PoolAddressRelease(ipam.session(), address, held.get()));
            }
            var release = ipam.blocks()
                    .enact(AddressRelease.of(
                            "ipam release " + address, List.of(ReleaseOption.of(address.toString())), ipam.now()));
            switch (release) {
                case Release.Done(var unallocated, var _) -> {
                    if (!unallocated.isEmpty()) {
                        throw new CommandRefusedException("IP address %s is not assigned".formatted(address));
                    }
                }
                case Release.Stopped(var _, var _, var refusal) ->
                    throw new CommandRefusedException(refusal.sentence());
            }
        }
        context.out().println("Successfully released IP address " + address);
        return ExitCode.DONE;
    }

    private int releaseOfPool(PoolAddressRelease release) {
        for (var released : force ? release.force() : release.release()) {
            context.out().println("Successfully released IP address " + released);
        }
        return ExitCode.DONE;
    }
}
