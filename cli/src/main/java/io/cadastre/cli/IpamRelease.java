package io.cadastre.cli;

import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.registry.Request;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "release",
        description = {
            "Take back an address, whoever holds it.",
            "Make sure that nobody uses it any more: it may be given to somebody else at once."
        },
        footer = {"Examples:", "  cadastre ipam release --ip 10.244.0.17"})
final class IpamRelease implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(names = "--ip", paramLabel = "ADDRESS", defaultValue = "", description = "The address.")
    private String ip = "";

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    IpamRelease(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (ip.isEmpty()) {
            throw new UsageException("say which address: --ip");
        }
        var address = AddressText.parse(ip);
        try (var desk = IpamDesk.open(storeOptions, surroundings)) {
            var options = List.of(ReleaseOption.of(address.toString()));
            var release =
                    desk.blocks()
                            .enact(
                                    new Request<>(
                                            "ipam release " + address,
                                            view ->
                                                    BlockReleases.release(
                                                            view, options, desk.now())));
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
