package io.cadastre.verification;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.ExplainSimulation;
import io.cadastre.verification.simulation.FailedSeeds;
import io.cadastre.verification.simulation.runtime.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "simulate",
        description = {
            "Run many processes on one simulated store, with faults, and check every state.",
            "One seed is one history, always. Nothing is read from or written to a real store."
        },
        footer = {
            "Examples:",
            "  cadastre simulate --seed 42                     print one history",
            "  cadastre simulate --seed 42 --dialect calico    print one history of blocks",
            "  cadastre simulate --seed 42 --dialect ledger    print one of a ledger that fails",
            "  cadastre simulate --seeds 1000                  run a thousand of each and count",
            "  cadastre simulate --seeds 1000 --first 4711     run the same ones again"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(3);

    private final CommandContext context;

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    @Option(
            names = "--dialect",
            paramLabel = "DIALECT",
            description = {
                "What is simulated: ${COMPLETION-CANDIDATES}.",
                "Without it, --seed simulates node-cidr, and --seeds simulates each dialect."
            })
    private @Nullable Dialect dialect;

    private static final class Choice {

        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Print the history of this seed, the same bytes each time.")
        private @Nullable Long seed;

        @ArgGroup(exclusive = false)
        private @Nullable Many many;
    }

    private static final class Many {

        @Option(
                names = "--seeds",
                required = true,
                paramLabel = "COUNT",
                description = {"Run this many seeds, and those that ever failed, and print a line of", "counts."})
        private long seeds;

        @Option(
                names = "--first",
                paramLabel = "SEED",
                description = {
                    "The first of many seeds. Without it the clock tells, so that every run has",
                    "other seeds."
                })
        private @Nullable Long first;
    }

    /// For one of this many seeds, the walk of the seed is run, too.
    private static final long SEEDS_PER_WALK = 5;

    SimulateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try {
            if (choice.seed != null) {
                print((dialect == null ? Dialect.NODE_CIDR : dialect).run(choice.seed));
            } else if (choice.many != null) {
                runMany(choice.many);
            }
            return ExitCode.DONE;
        } catch (AssertionError failure) {
            context.err().println(failure.getMessage());
            return ExitCode.FAILED;
        }
    }

    private void print(Report report) {
        report.history().forEach(context.out()::println);
        context.out()
                .printf(
                        "seed %d: %d requests, %d events, %d faults, %d states, clean%n",
                        report.seed(), report.requests(), report.events(), report.faults(), report.states());
    }

    private void runMany(Many many) {
        if (many.seeds < 1) {
            throw new UsageException("--seeds %d: at least one seed is run".formatted(many.seeds));
        }
        long first = many.first == null ? context.clock().instant().toEpochMilli() : many.first;
        context.err()
                .printf(
                        "cadastre: %d seeds from %d; to run them again: --seeds %d --first %d%n",
                        many.seeds, first, many.seeds, first);
        for (var each : dialect == null ? List.of(Dialect.values()) : List.of(dialect)) {
            runMany(each, first, many.seeds);
        }
    }

    private void runMany(Dialect simulated, long first, long seeds) {
        var once = FailedSeeds.of(simulated);
        var all = LongStream.concat(once.stream().mapToLong(Long::longValue), LongStream.range(first, first + seeds));
        var total = new Total(simulated, once.size() + seeds);
        all.forEach(seed -> total.add(simulated.run(seed)));
        long explained = explain(simulated, first, Math.ceilDiv(seeds, SEEDS_PER_WALK));
        context.out()
                .printf(
                        "%s: seeds %d to %d and %d that once failed: %d requests, %d events, %d"
                                + " faults, %d states, %d explanations, all clean%n",
                        simulated,
                        first,
                        first + seeds - 1,
                        once.size(),
                        total.requests,
                        total.events,
                        total.faults,
                        total.states,
                        explained);
    }

    /// Compares what is explained with what is done, and returns how often.
    private static long explain(Dialect simulated, long first, long walks) {
        return LongStream.range(first, first + walks)
                .map(seed -> ExplainSimulation.run(simulated, seed))
                .sum();
    }

    /// Counts, and says how far it is every few seconds.
    private final class Total {

        private final Dialect simulated;
        private final long seeds;
        private Instant lastTold = context.clock().instant();
        private long done;
        private long requests;
        private long events;
        private long faults;
        private long states;

        Total(Dialect simulated, long seeds) {
            this.simulated = simulated;
            this.seeds = seeds;
        }

        void add(Report report) {
            done++;
            requests += report.requests();
            events += report.events();
            faults += report.faults();
            states += report.states();
            var now = context.clock().instant();
            if (!now.isBefore(lastTold.plus(PROGRESS_EVERY))) {
                lastTold = now;
                context.err().printf("cadastre: %s: %d of %d seeds are clean%n", simulated, done, seeds);
            }
        }
    }
}
