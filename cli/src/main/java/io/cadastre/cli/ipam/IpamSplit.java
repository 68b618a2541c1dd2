package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.PoolSplit;
import io.cadastre.wire.calico.resource.PoolSplit.Outcome;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "split",
        description = {
            "Split a pool into equal smaller pools. Addresses and blocks are kept.",
            "The datastore must be locked: apply a ClusterInformation named default whose"
                    + " spec.datastoreReady is false."
        },
        footer = {"Examples:", "  cadastre ipam split 4 --name default", "  cadastre ipam split 2 --cidr 10.244.0.0/16"
        })
final class IpamSplit implements Callable<Integer> {

    private final CommandContext context;

    @Parameters(paramLabel = "NUMBER", description = "Number of parts, a power of two.")
    private int number;

    @Option(names = "--name", paramLabel = "POOL", defaultValue = "", description = "Name of the pool.")
    private String name = "";

    @Option(names = "--cidr", paramLabel = "CIDR", defaultValue = "", description = "CIDR of the pool.")
    private String cidr = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamSplit(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (var ipam = CalicoSession.open(options, context)) {
            var wanted = new PoolSplit.Wanted(name, cidr, number);
            var outcome = ipam.resources()
                    .enact(new Request<>(
                            "ipam split %d %s%s".formatted(number, name, cidr),
                            view -> PoolSplit.of(view, wanted, ipam::freshUid, ipam.now())));
            switch (outcome) {
                case Outcome.Done done -> print(done);
                case Outcome.Refused(var sentence) -> throw new CommandRefusedException(sentence);
            }
        }
        return ExitCode.DONE;
    }

    /// Calico puts no line end after the first sentence.
    private void print(Outcome.Done done) {
        var out = context.out();
        out.print("IP Pool %s was successfully split into %d smaller pools.".formatted(done.pool(), number));
        done.parts().forEach(part -> out.println("Created %s with CIDR %s.".formatted(part.name(), part.cidr())));
        out.println("Please refer to the documentation for final steps.");
    }
}
