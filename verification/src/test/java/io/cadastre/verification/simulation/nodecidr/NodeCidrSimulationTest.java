package io.cadastre.verification.simulation.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.verification.simulation.Dialect;
import io.cadastre.verification.simulation.RunSeeds;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.Report;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NodeCidrSimulationTest {

    private static final int SEEDS = 300;

    private static List<Report> reports = List.of();

    @BeforeAll
    static void runEverySeed() {
        reports = RunSeeds.runAll(Dialect.NODE_CIDR, SEEDS, NodeCidrSimulation::run);
    }

    @Test
    void noSeedBreaksTheLaw() {
        assertThat(reports).hasSizeGreaterThan(SEEDS);
        assertThat(reports.stream().mapToInt(Report::requests).sum()).isGreaterThan(12 * SEEDS);
        assertThat(reports.stream().mapToInt(Report::faults).sum()).isGreaterThan(12 * SEEDS);
    }

    @Test
    void oneSeedIsOneHistory() {
        for (var once : reports.subList(0, 25)) {
            assertThat(NodeCidrSimulation.run(once.seed())).isEqualTo(once);
        }
    }

    @Test
    void differentSeedsAreDifferentHistories() {
        assertThat(reports.stream().map(Report::history)).doesNotHaveDuplicates();
    }

    @Test
    void everyFaultStrikes() {
        assertThat(Fault.values()).allMatch(fault -> reports.stream().anyMatch(report -> report.struck(fault)));
    }
}
