package io.cadastre.verification.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import io.cadastre.engine.block.BlockReason;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// A ledger in a file that records many pods which come and go: how much computing its verification takes,
/// and how long it takes to find who held an address at a time. One address has every tenth holding.
public final class LedgerBenchmark {

    private static final int LOT = 1000;
    private static final int QUESTIONS = 400;
    private static final int BUSY_TENURES_MAX = 100_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Address FIRST = Address.parse("10.0.0.0");
    private static final int ADDRESSES = 50_000;

    private final PrintStream out;

    public LedgerBenchmark(PrintStream out) {
        this.out = out;
    }

    /// Makes a ledger, verifies it and asks it, and prints what that takes.
    ///
    /// @param entries how many the ledger has
    public void measure(int entries) throws IOException {
        var directory = Files.createTempDirectory("cadastre-ledger");
        var file = directory.resolve("ledger.db");
        try (var journal = SqliteJournal.open(SqliteSettings.of(file))) {
            var ledger = new Ledger(journal);
            write(ledger, entries);
            out.printf(Locale.ROOT, "%d entries, %d MiB%n", entries, Files.size(file) >> 20);
            ask(ledger, entries, "any address", new SplittableRandom(1), ADDRESSES);
            ask(ledger, entries, "the busy address", new SplittableRandom(2), 1);
            verify(ledger);
        } finally {
            delete(directory);
        }
    }

    /// Every other entry gives an address back that the one before gave. The busy address comes and goes in
    /// every tenth pair.
    private static void write(Ledger ledger, int entries) {
        ledger.append(List.of(blocks()));
        int busy = Math.max(10, entries / 2 / BUSY_TENURES_MAX);
        for (int number = 1; number < entries; number += LOT) {
            var lot = new ArrayList<Ledger.Entry>();
            for (int next = number; next < Math.min(entries, number + LOT); next++) {
                int pair = next / 2;
                int address = pair % busy == 0 ? 0 : 1 + pair % (ADDRESSES - 1);
                lot.add(entry(next, pair, address));
            }
            ledger.append(lot);
        }
    }

    private static Ledger.Entry blocks() {
        return new Ledger.Entry(
                START,
                "apply",
                Fact.text("done"),
                1,
                1,
                List.of(
                        new Holding(Prefix.parse("10.0.0.0/8").range(), Level.POOL, "pool/p", State.HELD),
                        new Holding(
                                Prefix.parse("10.0.0.0/16").range(),
                                Level.NODE,
                                "host:n",
                                State.HELD,
                                HolderFacts.ofNode("n"))),
                List.of(),
                List.of());
    }

    private static Ledger.Entry entry(int number, int pair, int address) {
        var range = Range.of(address(address));
        var held = List.of(new Holding(
                range,
                Level.ENDPOINT,
                "handle/k8s-pod-network." + "%064d".formatted(pair),
                State.HELD,
                HolderFacts.ofPod("default", "web-" + pair)
                        .withNode("node-" + pair % 100)
                        .withHandle("k8s-pod-network." + "%064d".formatted(pair))));
        boolean grants = number % 2 == 0;
        return new Ledger.Entry(
                START.plusSeconds(number),
                "cni %s k8s-pod-network/%064d/eth0".formatted(grants ? "add" : "del", pair),
                Fact.text("done"),
                1,
                number + 1L,
                grants ? held : List.of(),
                grants ? List.of() : held,
                List.of(
                        Fact.of(new BlockReason.TookPool("p", Prefix.parse("10.0.0.0/8"))),
                        Fact.of(new BlockReason.TookFrom(Prefix.parse("10.0.0.0/26"), "host:n", 1))));
    }

    private static Address address(int offset) {
        return Address.ipv4((int) FIRST.low() + offset);
    }

    private void ask(Ledger ledger, int entries, String of, SplittableRandom dice, int addresses) {
        var times = new long[QUESTIONS];
        for (int question = 0; question < QUESTIONS; question++) {
            var address = address(dice.nextInt(addresses));
            var at = START.plusSeconds(dice.nextInt(entries));
            long start = System.nanoTime();
            if (ledger.heldAt(address, at).size() < 2) {
                throw new IllegalStateException("pool and block of %s are gone".formatted(address));
            }
            times[question] = System.nanoTime() - start;
        }
        long first = times[0];
        Arrays.sort(times);
        out.printf(
                Locale.ROOT,
                "who held %s at a time: first %.1f ms, p50 %.2f ms, p99 %.2f ms%n",
                of,
                first / 1e6,
                times[QUESTIONS / 2] / 1e6,
                times[QUESTIONS * 99 / 100] / 1e6);
    }

    private void verify(Ledger ledger) {
        var process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        var verification = ledger.verify(Ledger.Writers.ALL_RECORDED);
        out.printf(
                Locale.ROOT,
                "verify: %.1f s of CPU, %.1f s: %s%n",
                (process.getProcessCpuTime() - cpu) / 1e9,
                Duration.ofNanos(System.nanoTime() - start).toMillis() / 1e3,
                verification.getClass().getSimpleName());
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
