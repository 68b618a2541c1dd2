package io.cadastre.verification;

import io.cadastre.cli.ExitCode;
import io.cadastre.cli.Surroundings;
import io.cadastre.cli.UsageException;
import io.cadastre.verification.simulation.NodeCidrSimulation;
import io.cadastre.verification.simulation.Report;
import io.cadastre.verification.simulation.SimulationFailure;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

@Command(
        name = "simulate",
        description = {
            "Run many processes on one simulated store, with faults, and check every state.",
            "One seed is one history, always. Nothing is read from or written to a real store."
        },
        footer = {
            "Examples:",
            "  cadastre simulate --seed 42       print one history",
            "  cadastre simulate --seeds 1000    run a thousand and count"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final long PROGRESS_SEEDS = 500;

    private final Surroundings surroundings;

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    private static final class Choice {

        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Print the history of this seed, the same bytes each time.")
        private @Nullable Long seed;

        @Option(
                names = "--seeds",
                paramLabel = "COUNT",
                description = "Run the seeds from 1 to COUNT and print one line of counts.")
        private long seeds;
    }

    SimulateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try {
            if (choice.seed != null) {
                print(NodeCidrSimulation.run(choice.seed));
            } else {
                runMany(choice.seeds);
            }
            return ExitCode.DONE;
        } catch (SimulationFailure failure) {
            surroundings.err().println(failure.getMessage());
            return ExitCode.FAILED;
        }
    }

    private void print(Report report) {
        report.history().forEach(surroundings.out()::println);
        surroundings
                .out()
                .printf(
                        "seed %d: %d requests, %d events, %d faults, %d states, clean%n",
                        report.seed(),
                        report.requests(),
                        report.events(),
                        report.faults(),
                        report.states());
    }

    private void runMany(long seeds) {
        if (seeds < 1) {
            throw new UsageException("--seeds %d: at least one seed is run".formatted(seeds));
        }
        long requests = 0;
        long events = 0;
        long faults = 0;
        long states = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            var report = NodeCidrSimulation.run(seed);
            requests += report.requests();
            events += report.events();
            faults += report.faults();
            states += report.states();
            if (surroundings.progress() && seed % PROGRESS_SEEDS == 0) {
                surroundings.err().printf("cadastre: %d of %d seeds%n", seed, seeds);
            }
        }
        surroundings
                .out()
                .printf(
                        "%d seeds: %d requests, %d events, %d faults, %d states, all clean%n",
                        seeds, requests, events, faults, states);
    }
}
