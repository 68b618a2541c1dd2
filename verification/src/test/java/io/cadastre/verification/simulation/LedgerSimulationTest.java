package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.verification.simulation.runtime.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LedgerSimulationTest {

    private static final int SEEDS = 200;

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.LEDGER, SEEDS, LedgerSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThanOrEqualTo(SEEDS);
        assertThat(reports.stream().mapToInt(Report::states).sum()).isGreaterThan(50 * SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 5)) {
            assertThat(LedgerSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void ledgersFailAndProcessesAreKilled() {
        assertThat(List.of("the ledger cannot be written", "refused again", "is killed"))
                .allMatch(sample -> reports.stream()
                        .flatMap(report -> report.history().stream())
                        .anyMatch(line -> line.contains(sample)));
    }
}
