package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.release.HandleRelease;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "release-handle",
        description = "Release all addresses of a handle and print them, one per line.",
        footer = {"Examples:", "  cadastre ipam release-handle web"})
final class IpamReleaseHandle implements Callable<Integer> {

    private final CommandContext context;

    @Parameters(paramLabel = "HANDLE", description = "Handle that the addresses are recorded under.")
    private String handle = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamReleaseHandle(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (handle.isEmpty() || handle.indexOf('/') >= 0) {
            throw new UsageException("a handle must not be empty or contain a slash: '%s'".formatted(handle));
        }
        try (var ipam = CalicoSession.open(options, context)) {
            var release =
                    ipam.blocks().enact(AddressRelease.ofHandle("ipam release-handle " + handle, handle, ipam.now()));
            release.released().forEach(context.out()::println);
            return switch (release) {
                case HandleRelease.Done _ -> ExitCode.DONE;
                case HandleRelease.Refused(var _, var refusal) -> throw new CommandRefusedException(refusal.sentence());
            };
        }
    }
}
