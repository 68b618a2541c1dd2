package io.cadastre.verification;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.verification.benchmarks.BenchContext;
import io.cadastre.verification.benchmarks.BlockBenchmarks;
import io.cadastre.verification.benchmarks.BlockJsonBenchmark;
import io.cadastre.verification.benchmarks.LedgerBenchmark;
import io.cadastre.verification.benchmarks.NodeIpamBenchmark;
import io.cadastre.verification.benchmarks.PoolBenchmark;
import io.cadastre.verification.benchmarks.SweepBenchmark;
import io.cadastre.verification.benchmarks.W0Benchmark;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        description = {
            "Measure this machine.",
            "W0 is the allocation index: a part taken and another given back, at 1 %%, 50 %% and" + " 99 %% full.",
            "W4 starts an API server and an etcd, and lets a controller give 5000 Nodes their CIDRs, beside plain"
                    + " patches and kube-controller-manager. It needs KUBEBUILDER_ASSETS and a checkout.",
            "W5 is a controller in memory: how long it looks at 250,000 addresses, and how soon it"
                    + " takes back those of 3000 pods that vanish.",
            "W6 is a pool of 1000 addresses that 16 agents give to 1000 pods at once, W9 128 pods with 16"
                    + " interfaces each: in memory with 3 ms a call, and with KUBEBUILDER_ASSETS and a checkout on"
                    + " an API server beside plain creates.",
            "JSON is a block of Calico's, read and written.",
            "LEDGER is a ledger in a file: verifying 200,000 entries, and who held an address among" + " a million.",
            "The others start an etcd from the PATH. W1 is one address among 100 pools, W2 the"
                    + " first address of 1000 nodes, W3 the next address, W8 one beside 1024 full"
                    + " blocks; CLIENTS is 10,000 addresses by 64 clients on 8 nodes."
        },
        footer = {"Examples:", "  cadastre bench W0", "  cadastre bench W2 W3"})
final class BenchCommand implements Callable<Integer> {

    /// What can be measured.
    enum Work {
        W0,
        W1,
        W2,
        W3,
        W4,
        W5,
        W6,
        W8,
        W9,
        CLIENTS,
        LEDGER,
        JSON
    }

    private static final Set<Work> WITHOUT_ETCD =
            EnumSet.of(Work.W0, Work.W4, Work.W5, Work.W6, Work.W9, Work.LEDGER, Work.JSON);

    @Parameters(arity = "1..*", paramLabel = "WORK", description = "What to measure: ${COMPLETION-CANDIDATES}.")
    private List<Work> works = List.of();

    private final CommandContext context;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (works.contains(Work.W0)) {
            runJmh(W0Benchmark.class);
        }
        if (works.contains(Work.JSON)) {
            runJmh(BlockJsonBenchmark.class);
        }
        if (works.contains(Work.W5)) {
            new SweepBenchmark(context.out(), means()).measure();
        }
        if (works.contains(Work.W4)) {
            new NodeIpamBenchmark(context.out(), means(), context.environment()).measure();
        }
        var pools = Arrays.stream(PoolBenchmark.Work.values())
                .filter(work -> works.contains(Work.valueOf(work.name())))
                .toList();
        if (!pools.isEmpty()) {
            new PoolBenchmark(context.out(), means(), context.environment()).measure(pools);
        }
        if (works.contains(Work.LEDGER)) {
            var ledger = new LedgerBenchmark(context.out());
            ledger.measure(200_000);
            ledger.measure(1_000_000);
        }
        if (works.stream().anyMatch(work -> !WITHOUT_ETCD.contains(work))) {
            runOnEtcd();
        }
        return ExitCode.DONE;
    }

    private static void runJmh(Class<?> benchmark) throws RunnerException {
        new Runner(new OptionsBuilder().include(benchmark.getName()).build()).run();
    }

    private BenchContext means() {
        return new BenchContext(context.clock(), context.dice(), context.pause());
    }

    private void runOnEtcd() throws Exception {
        try (var benchmarks = BlockBenchmarks.start(context.out(), means())) {
            for (var work : works) {
                switch (work) {
                    case W0, W4, W5, W6, W9, LEDGER, JSON -> {}
                    case W1 -> benchmarks.measureW1();
                    case W2 -> benchmarks.measureW2();
                    case W3 -> benchmarks.measureW3();
                    case W8 -> benchmarks.measureW8();
                    case CLIENTS -> benchmarks.measureClients();
                }
            }
        }
    }
}
