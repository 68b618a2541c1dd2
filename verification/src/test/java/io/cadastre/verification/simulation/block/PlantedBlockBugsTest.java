package io.cadastre.verification.simulation.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cadastre.verification.simulation.runtime.SimulationFailure;
import org.junit.jupiter.api.Test;

/// A simulator that finds nothing proves nothing: each planted bug must be found.
class PlantedBlockBugsTest {

    private static final int SEEDS_MAX = 1000;

    @Test
    void blindWriteIsFound() {
        assertFound(PlantedBlockBugs::writingBlindly);
    }

    @Test
    void lostAnswerTreatedAsFailureIsFound() {
        assertFound(PlantedBlockBugs::takingLostForFailed);
    }

    @Test
    void claimWithoutTheCreationAsArbiterIsFound() {
        assertFound(PlantedBlockBugs::claimingWithoutArbiter);
    }

    @Test
    void handleThatIsCountedDownBeforeItsBlockIsWrittenIsFound() {
        assertFound(PlantedBlockBugs::countingDownFirst);
    }

    @Test
    void releaseWithoutHandleAndNumberIsFound() {
        assertFound(PlantedBlockBugs::releasingWithoutIdentity);
    }

    @Test
    void attemptThatIsForgottenIsFound() {
        assertFoundFrom(70, PlantedBlockBugs::forgettingAttempts);
    }

    @Test
    void addressReportedToTwoRequestersIsFound() {
        assertFoundFrom(10, PlantedBlockBugs::tellingWhatTheHandleHas);

        assertFoundBy(" was given to it as ", 30, PlantedBlockBugs::tellingWhatTheHandleHas);
    }

    @Test
    void releaseThatConflictsWithItselfIsFound() {
        assertFoundFrom(400, PlantedBlockBugs::releasingForgetfully);
    }

    @Test
    void tunnelAddressThatReachesAPodIsFound() {
        assertFound(PlantedBlockBugs::minglingUses);
    }

    @Test
    void addressThatIsGivenAgainBeforeItIsColdIsFound() {
        assertFoundFrom(135, PlantedBlockBugs::hurrying);
    }

    @Test
    void addressThatIsTakenFromWindowsIsFound() {
        assertFound(PlantedBlockBugs::collectingFromWindows);

        assertFoundBy("was kept by Windows and is no more", 1, PlantedBlockBugs::collectingFromWindows);
    }

    @Test
    void poolThatVanishesWithAddressesInUseIsFound() {
        assertFound(PlantedBlockBugs::deletingBlocksInUse);
    }

    @Test
    void disabledPoolThatGivesIsFound() {
        assertFound(PlantedBlockBugs::givingFromDisabledPools);
    }

    @Test
    void decisionThatIsNotInTheLedgerIsFound() {
        assertFound(PlantedBlockBugs::recordingElsewhere);
    }

    @Test
    void answerThatIsNotInTheLedgerIsFound() {
        assertFoundBy("the ledger does not tell of it", 1, PlantedBlockBugs::ignoringTheLedger);
    }

    @Test
    void entryThatIsWrittenTwiceIsFound() {
        assertFoundBy("the ledger tells that", 1, PlantedBlockBugs::recordingTwice);
    }

    @Test
    void watchThatTellsNothingIsFound() {
        assertFound(PlantedBlockBugs::watchingWithoutListening);
    }

    private static void assertFound(BlockClients buggy) {
        assertFoundFrom(1, buggy);
    }

    /// @param from where to begin: a rare bug was met near there before
    private static void assertFoundFrom(long from, BlockClients buggy) {
        var failure = firstFailure(from, "", buggy);

        assertThat(failure)
                .hasMessageStartingWith("seed %d: ".formatted(failure.seed()))
                .hasMessageContaining(
                        "replay: ./cadastre simulate --seed %d --dialect calico".formatted(failure.seed()))
                .hasMessageContaining("history:")
                .hasMessageContaining("ledger:");
        assertThat(replay(buggy, failure.seed())).hasMessage(failure.getMessage());
        BlockSimulation.run(failure.seed());
    }

    /// One bug may be seen in several ways; this way, too.
    ///
    /// @param from as above
    private static void assertFoundBy(String words, long from, BlockClients buggy) {
        assertThat(firstFailure(from, words, buggy)).hasMessageContaining(words);
    }

    private static SimulationFailure firstFailure(long from, String words, BlockClients buggy) {
        for (long seed = from; seed < from + SEEDS_MAX; seed++) {
            try {
                BlockSimulation.run(seed, buggy);
            } catch (SimulationFailure failure) {
                if (String.valueOf(failure.getMessage()).contains(words)) {
                    return failure;
                }
            }
        }
        return fail("'%s' not found in %d seeds", words, SEEDS_MAX);
    }

    private static SimulationFailure replay(BlockClients buggy, long seed) {
        try {
            BlockSimulation.run(seed, buggy);
        } catch (SimulationFailure failure) {
            return failure;
        }
        return fail("seed %d does not fail again", seed);
    }
}
