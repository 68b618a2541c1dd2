package io.cadastre.cli;

import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "release",
        description = {
            "Take back an address, whoever holds it, or all that a report says nobody uses.",
            "Make sure that nobody uses it any more: it may be given to somebody else at once."
        },
        footer = {
            "Examples:",
            "  cadastre ipam release --ip 10.244.0.17",
            "  cadastre ipam release --from-report report.json"
        })
final class IpamRelease implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(names = "--ip", paramLabel = "ADDRESS", defaultValue = "", description = "The address.")
    private String ip = "";

    @Option(
            names = "--from-report",
            paramLabel = "FILE",
            description = {
                "A report of 'cadastre ipam check -o'; may be repeated. Only what all of them call"
                        + " unused is released.",
                "The datastore must be locked and a report be of the present cluster."
            })
    private List<String> files = List.of();

    @Option(
            names = "--force",
            description = "Release although the datastore is not locked or the version differs.")
    private boolean force;

    @Mixin private final CalicoOptions options = new CalicoOptions();

    IpamRelease(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (ip.isEmpty() == files.isEmpty()) {
            throw new UsageException("say either --ip or --from-report");
        }
        return ip.isEmpty() ? releaseReported() : releaseAddress();
    }

    private int releaseReported() {
        var reports = files.stream().map(InspectionReport::read).toList();
        try (var desk = IpamDesk.open(options, surroundings)) {
            new ReportRelease(
                            desk,
                            surroundings,
                            reports,
                            force ? ReportRelease.Caution.FORCED : ReportRelease.Caution.CAREFUL)
                    .run();
        }
        return ExitCode.DONE;
    }

    private int releaseAddress() {
        var address = AddressText.parse(ip);
        try (var desk = IpamDesk.open(options, surroundings)) {
            var release =
                    desk.blocks()
                            .enact(
                                    ReleaseRequest.of(
                                            "ipam release " + address,
                                            List.of(ReleaseOption.of(address.toString())),
                                            desk.now()));
            switch (release) {
                case Release.Done(var unallocated, _) -> {
                    if (!unallocated.isEmpty()) {
                        throw new RefusedException(
                                "IP address %s is not assigned".formatted(address));
                    }
                }
                case Release.Stopped(_, _, var refusal) ->
                        throw new RefusedException(refusal.sentence());
            }
        }
        surroundings.out().println("Successfully released IP address " + address);
        return ExitCode.DONE;
    }
}
