package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Datastore;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

class BlockSimulationTest {

    private static final long SEEDS = 1000;

    private static final long NARROW_SEEDS = 150;

    /// What is done with one block takes less.
    private static final int NARROW_CHANGES_MAX = 12;

    private static final List<String> SAMPLES =
            List.of(
                    "assign \\d\\+\\d to '.*-> Done.*leases=\\[1",
                    "assign \\d\\+\\d to '.*-> .*No IPs available in pools",
                    "assign \\d\\+\\d to '.*-> .*strict affinity enabled",
                    "assign \\d\\+\\d to '.*-> .*BlockLimit",
                    "assign \\d\\+\\d to 'shared-capped' -> .*/(32|128)\\b",
                    "assign [0-9a-f.:]{8,} to '.*-> Assigned",
                    "assign [0-9a-f.:]{8,} to '.*-> Refused.*AlreadyAssigned",
                    "release all of .*-> Done",
                    "release all of .*-> Refused",
                    "release \\{Address.*-> Done",
                    "release \\{Address.*-> Stopped.*Conflict",
                    "configure .*-> Configured",
                    "claim .*-> Claimed\\[claimed=\\[\\w",
                    "give up .*-> Done\\[released=\\[\\w",
                    "give up .*-> Stopped.*BlockNotEmpty",
                    "assign tunnel of .*-> Done.*leases=\\[1",
                    "release all of vxlan-tunnel-addr-.*-> Done",
                    "ensure a block -> Ensured\\[blocks=\\[\\w",
                    "remove host -> Done\\[released=\\[\\w",
                    "release pool .*-> Done\\[released=\\[\\w",
                    "removed pool ",
                    "release leaks -> LeakRelease\\[released=\\[\\w",
                    "thaw ",
                    "give up unused ",
                    "is switched off",
                    "clean node-");

    private static List<Report> reports = List.of();

    /// A seed whose history breaks the law ends this with its history.
    ///
    /// The first one runs alone. What the JVM does but once, it does under locks that all simulations share,
    /// and a simulated thread that waits for one of them waits for somebody of another simulation.
    @BeforeAll
    static void runEverySeed() {
        BlockSimulation.run(0);
        reports =
                LongStream.rangeClosed(1, SEEDS).parallel().mapToObj(BlockSimulation::run).toList();
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSize((int) SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(25_000);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(25_000);
    }

    @Test
    void requestsThatAreSavedInPartsBreakNoLaw() {
        var cuts = new AtomicInteger();

        var narrow =
                LongStream.rangeClosed(1, NARROW_SEEDS)
                        .parallel()
                        .mapToObj(
                                seed ->
                                        BlockSimulation.run(
                                                seed, (store, desk) -> narrow(store, desk, cuts)))
                        .toList();

        assertThat(narrow).hasSize((int) NARROW_SEEDS);
        assertThat(cuts.get()).isGreaterThan((int) NARROW_SEEDS / 2);
    }

    private static BlockOffice narrow(Datastore store, BlockOffices.Desk desk, AtomicInteger cuts) {
        return BlockOffices.on(
                new NarrowBook(desk.books().open(store), NARROW_CHANGES_MAX, cuts), desk);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 25)) {
            assertThat(BlockSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void differentSeedsAreDifferentHistories() {
        assertThat(reports.stream().map(Report::history).distinct()).hasSize((int) SEEDS);
    }

    @Test
    void everyFaultStrikes() {
        var lines =
                reports.stream().limit(100).flatMap(report -> report.history().stream()).toList();

        for (var fault : Fault.values()) {
            assertThat(lines).anyMatch(line -> line.endsWith("FAULT " + fault));
        }
    }

    @Test
    void everyVerbIsAskedAndMeetsItsEndings() {
        var unmet = new ArrayList<>(SAMPLES.stream().map(Pattern::compile).toList());

        for (var report : reports) {
            unmet.removeIf(
                    sample ->
                            report.history().stream()
                                    .anyMatch(line -> sample.matcher(line).find()));
        }

        assertThat(unmet).isEmpty();
    }
}
