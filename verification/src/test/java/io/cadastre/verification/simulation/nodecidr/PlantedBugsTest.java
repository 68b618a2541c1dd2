package io.cadastre.verification.simulation.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.verification.simulation.runtime.SimulationFailure;
import org.junit.jupiter.api.Test;

/// A simulator that finds nothing proves nothing: each planted bug must be found.
class PlantedBugsTest {

    private static final int SEEDS_MAX = 3000;

    @Test
    void blindWriteIsFound() {
        assertFound(PlantedBugs::writingBlindly);
    }

    @Test
    void editOfAReadObjectThatIsLaterSavedIsFound() {
        assertFound(PlantedBugs::editingWhatWasRead);
    }

    @Test
    void lostAnswerTreatedAsFailureIsFound() {
        assertFound(PlantedBugs::takingLostForFailed);
    }

    @Test
    void releaseWithoutItsIdentityIsFound() {
        assertFound(PlantedBugs::releasingWithoutIdentity);
    }

    @Test
    void answerThatIsNotInTheLedgerIsFound() {
        assertFound(PlantedBugs::ignoringTheLedger);

        assertThat(firstFailure(PlantedBugs::ignoringTheLedger)).hasMessageContaining("the ledger does not tell of it");
    }

    @Test
    void entryThatIsWrittenTwiceIsFound() {
        assertFound(PlantedBugs::recordingTwice);

        assertThat(firstFailure(PlantedBugs::recordingTwice)).hasMessageContaining("the ledger tells that");
    }

    @Test
    void commitThatTheLedgerNeverLearnsOfIsFound() {
        assertFound(PlantedBugs::forgettingWhatItOwes);

        assertThat(firstFailure(PlantedBugs::forgettingWhatItOwes))
                .hasMessageContaining("before the ledger has what it committed last");
    }

    private static void assertFound(NodeCidrClients buggy) {
        assertFoundFrom(1, buggy);
    }

    /// @param from where to begin: a rare bug was met near there before
    private static void assertFoundFrom(long from, NodeCidrClients buggy) {
        var failure = firstFailure(from, buggy);

        assertThat(failure)
                .hasMessageStartingWith("seed %d: ".formatted(failure.seed()))
                .hasMessageContaining("replay: ./cadastre simulate --seed " + failure.seed())
                .hasMessageContaining("history:")
                .hasMessageContaining("ledger:");
        assertThat(replay(buggy, failure.seed())).hasMessage(failure.getMessage());
        NodeCidrSimulation.run(failure.seed());
    }

    private static SimulationFailure firstFailure(NodeCidrClients buggy) {
        return firstFailure(1, buggy);
    }

    private static SimulationFailure firstFailure(long from, NodeCidrClients buggy) {
        for (long seed = from; seed < from + SEEDS_MAX; seed++) {
            try {
                NodeCidrSimulation.run(seed, buggy);
            } catch (SimulationFailure failure) {
                return failure;
            }
        }
        return fail("not found in %d seeds", SEEDS_MAX);
    }

    private static SimulationFailure replay(NodeCidrClients buggy, long seed) {
        try {
            NodeCidrSimulation.run(seed, buggy);
        } catch (SimulationFailure failure) {
            return failure;
        }
        return fail("seed %d does not fail again", seed);
    }
}
