package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.LongStream;

class NodeCidrSimulationTest {

    private static final long SEEDS = 1500;

    @Test
    void noSeedBreaksTheLaw() {
        var reports = LongStream.rangeClosed(1, SEEDS).mapToObj(NodeCidrSimulation::run).toList();

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
        var histories =
                LongStream.rangeClosed(1, 50)
                        .mapToObj(NodeCidrSimulation::run)
                        .map(Report::history);

        assertThat(histories.distinct()).hasSize(50);
    }

    @Test
    void everyFaultStrikes() {
        var lines =
                LongStream.rangeClosed(1, 200)
                        .mapToObj(NodeCidrSimulation::run)
                        .flatMap(report -> report.history().stream())
                        .toList();

        for (var fault : Fault.values()) {
            assertThat(lines).anyMatch(line -> line.endsWith("FAULT " + fault));
        }
    }
}
