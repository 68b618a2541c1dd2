package io.cadastre.verification;

import io.cadastre.cli.ExitCode;
import io.cadastre.verification.benchmarks.W0Benchmark;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "bench",
        description = {
            "Measure this machine.",
            "W0 is the allocation index: a part taken and another given back, at 1 %, 50 % and 99"
                    + " % full."
        },
        footer = {"Examples:", "  cadastre bench W0"})
final class BenchCommand implements Callable<Integer> {

    /// What can be measured.
    enum Work {
        W0
    }

    @Parameters(
            arity = "1..*",
            paramLabel = "WORK",
            description = "What to measure: ${COMPLETION-CANDIDATES}.")
    private List<Work> works = List.of();

    @Override
    public Integer call() throws RunnerException {
        for (var work : works) {
            switch (work) {
                case W0 -> runW0();
            }
        }
        return ExitCode.DONE;
    }

    private static void runW0() throws RunnerException {
        new Runner(new OptionsBuilder().include(W0Benchmark.class.getName()).build()).run();
    }
}
