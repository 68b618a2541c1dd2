package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.LongStream;

class NodeCidrSimulationTest {

    private static final long SEEDS = 1200;

    private static List<Report> reports = List.of();

    /// A seed whose history breaks the law ends this with its history.
    ///
    /// The first one runs alone. What the JVM does but once, it does under locks that all simulations share,
    /// and a simulated thread that waits for one of them waits for somebody of another simulation.
    @BeforeAll
    static void runEverySeed() {
        NodeCidrSimulation.run(0);
        reports =
                LongStream.rangeClosed(1, SEEDS)
                        .parallel()
                        .mapToObj(NodeCidrSimulation::run)
                        .toList();
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSize((int) SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(15_000);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(15_000);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (long seed = 1; seed <= 50; seed++) {
            var once = NodeCidrSimulation.run(seed);
            var again = NodeCidrSimulation.run(seed);

            assertThat(again).isEqualTo(once);
        }
    }

    @Test
    void differentSeedsAreDifferentHistories() {
        assertThat(reports.stream().map(Report::history).distinct()).hasSize((int) SEEDS);
    }

    @Test
    void everyFaultStrikes() {
        var lines = reports.stream().flatMap(report -> report.history().stream()).toList();

        for (var fault : Fault.values()) {
            assertThat(lines).anyMatch(line -> line.endsWith("FAULT " + fault));
        }
    }
}
