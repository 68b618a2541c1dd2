package io.cadastre.cli;

import io.cadastre.engine.block.HandleRelease;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

@Command(
        name = "release-handle",
        description = "Take back all addresses of a handle, and print them, one a line.",
        footer = {"Examples:", "  cadastre ipam release-handle web"})
final class IpamReleaseHandle implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(paramLabel = "HANDLE", description = "The handle they were given by.")
    private String handle = "";

    @Mixin private final CalicoOptions options = new CalicoOptions();

    IpamReleaseHandle(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (handle.isEmpty() || handle.indexOf('/') >= 0) {
            throw new UsageException(
                    "a handle is not empty and has no slash: '%s'".formatted(handle));
        }
        try (var desk = IpamDesk.open(options, surroundings)) {
            var release =
                    desk.blocks()
                            .enact(
                                    ReleaseRequest.ofHandle(
                                            "ipam release-handle " + handle, handle, desk.now()));
            release.released().forEach(surroundings.out()::println);
            return switch (release) {
                case HandleRelease.Done _ -> ExitCode.DONE;
                case HandleRelease.Refused(_, var refusal) ->
                        throw new RefusedException(refusal.sentence());
            };
        }
    }
}
