package io.cadastre.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplainSimulationTest {

    /// `cadastre simulate` takes more.
    private static final int WALKS = 12;

    @Timeout(120)
    @ParameterizedTest
    @EnumSource(names = {"NODE_CIDR", "CALICO", "SPIDERPOOL"})
    void explainedDecisionIsTheOneMade(Dialect dialect) {
        int states = RunSeeds.fresh(dialect, WALKS)
                .mapToInt(seed -> ExplainSimulation.run(dialect, seed))
                .sum();

        assertThat(states).isEqualTo(WALKS * ExplainSimulation.REQUESTS);
    }
}
