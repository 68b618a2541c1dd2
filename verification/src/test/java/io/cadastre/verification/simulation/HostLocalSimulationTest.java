package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.verification.simulation.runtime.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HostLocalSimulationTest {

    private static final int SEEDS = 200;

    private static List<Report> reports = List.of();

    /// One after another: who opens files waits for locks that all threads of the JVM share.
    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.all(Dialect.HOST_LOCAL, SEEDS).stream()
                .map(HostLocalSimulation::run)
                .toList();
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThanOrEqualTo(SEEDS);
        assertThat(reports.stream().mapToInt(Report::states).sum()).isGreaterThan(5 * SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 5)) {
            assertThat(HostLocalSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void callersHangUpAndTheAgentIsKilled() {
        assertThat(List.of("hung up", "is killed", "APPEND_ANSWER_LOST", "APPEND_FAILED"))
                .allMatch(sample -> reports.stream()
                        .flatMap(report -> report.history().stream())
                        .anyMatch(line -> line.contains(sample)));
    }
}
