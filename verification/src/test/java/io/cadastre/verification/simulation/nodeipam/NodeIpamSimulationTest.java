package io.cadastre.verification.simulation.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.RunSeeds;
import io.cadastre.verification.simulation.runtime.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NodeIpamSimulationTest {

    private static final int SEEDS = 150;

    /// What has to happen for the laws to mean anything.
    private static final List<String> SAMPLES = List.of(
            "is elected",
            "no longer leads",
            "is killed",
            "is stopped for",
            "hears nothing for",
            "late patch of",
            "waits to be sent for",
            "is answered 500",
            "FAULT ANSWER_LOST",
            "FAULT REQUEST_LOST",
            "FAULT WATCH_COMPACTED",
            "terminates",
            "no remaining CIDRs");

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.NODE_IPAM, SEEDS, NodeIpamSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThanOrEqualTo(SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 10)) {
            assertThat(NodeIpamSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void leadersComeAndGoAndPatchesLoseTheirAnswersAndArriveLate() {
        assertThat(SAMPLES)
                .allMatch(sample -> reports.stream()
                        .flatMap(report -> report.history().stream())
                        .anyMatch(line -> line.contains(sample)));
    }
}
