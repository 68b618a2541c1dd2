package io.cadastre.verification;

import io.cadastre.cli.ExitCode;
import io.cadastre.cli.Surroundings;
import io.cadastre.verification.benchmarks.StoreThroughput;
import io.cadastre.verification.benchmarks.W0Benchmark;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "bench",
        description = {
            "Measure this machine. Figures that are compared come from one run.",
            "W0 is the allocation index; stores is durable commits on SQLite and etcd beside the"
                    + " raw stores."
        },
        footer = {"Examples:", "  cadastre bench W0", "  cadastre bench stores --seconds 2"})
final class BenchCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    /// What can be measured.
    enum Work {
        W0,
        STORES
    }

    @Parameters(
            arity = "1..*",
            paramLabel = "WORK",
            description = "What to measure: ${COMPLETION-CANDIDATES}.")
    private List<Work> works = List.of();

    @Option(
            names = "--seconds",
            defaultValue = "2",
            paramLabel = "SECONDS",
            description =
                    "How long each store is measured at each number of writers (${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--dir",
            defaultValue = "${sys:java.io.tmpdir}",
            paramLabel = "DIRECTORY",
            description = "Where the stores write (${DEFAULT-VALUE}).")
    private Path directory = Path.of("");

    BenchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        for (var work : works) {
            switch (work) {
                case W0 -> runW0();
                case STORES -> StoreThroughput.run(surroundings.out(), directory, seconds);
            }
        }
        return ExitCode.DONE;
    }

    private static void runW0() throws RunnerException {
        new Runner(new OptionsBuilder().include(W0Benchmark.class.getName()).build()).run();
    }
}
