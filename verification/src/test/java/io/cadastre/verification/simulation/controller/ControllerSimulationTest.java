package io.cadastre.verification.simulation.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.RunSeeds;
import io.cadastre.verification.simulation.runtime.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ControllerSimulationTest {

    private static final int SEEDS = 100;

    /// What has to happen for the laws to mean anything.
    private static final List<String> SAMPLES = List.of(
            "is elected",
            "no longer leads",
            "is killed",
            "is stopped for",
            "receives nothing for",
            "is away",
            "ends and leaks",
            "released leaked");

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.CONTROLLER, SEEDS, ControllerSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThanOrEqualTo(SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 5)) {
            assertThat(ControllerSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void controllersAreElectedStoppedAndKilledAndTakeBackWhatLeaked() {
        assertThat(SAMPLES)
                .allMatch(sample -> reports.stream()
                        .flatMap(report -> report.history().stream())
                        .anyMatch(line -> line.contains(sample)));
    }
}
