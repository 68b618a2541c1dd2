package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Commits.Stage;
import io.cadastre.registry.Commits.Stop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How a page is saved in stages.
class CommitsTest {

    private static final Commit STALE = new Commit.Conflict(0, Commit.Kind.STALE);
    private static final Commit LOST = new Commit.Unknown("lost");

    private final List<Stop> stops = new ArrayList<>();

    private static Commit done(long revision) {
        return new Commit.Done(List.of(revision));
    }

    private static Stage stage(String keys, Commit... commits) {
        return new Stage(List.of(keys.split(" ")), () -> List.of(commits));
    }

    private static Stage failing(String key) {
        return new Stage(List.of(key), () -> {
            throw new DatastoreException(DatastoreException.Kind.FAILED, "too long");
        });
    }

    private static Stage untouched(String key) {
        return new Stage(List.of(key), () -> {
            throw new AssertionError("a later stage was begun");
        });
    }

    @Test
    void stagesThatAreDoneAreOneCommit() {
        var commit = Commits.saveInStages(List.of(stage("a b", done(3), done(2)), stage("c", done(4))), stops::add);

        assertThat(commit).isEqualTo(new Commit.Done(List.of(3L, 2L, 4L)));
        assertThat(stops).isEmpty();
    }

    @Test
    void aConflictBesideWritesThatWereDoneLeavesThePageHalfWritten() {
        var commit = Commits.saveInStages(
                List.of(stage("a", done(1)), stage("b c d", done(2), STALE, done(3)), untouched("e")), stops::add);

        assertThat(commit).isEqualTo(new Commit.Unknown("3 of 5 writes were done, then one met STALE at c"));
        assertThat(stops)
                .containsExactly(new Stop(
                        PartialCommit.Rest.NOT_WRITTEN, Optional.of(new Commit.Conflict(2, Commit.Kind.STALE))));
    }

    @Test
    void aConflictInTheFirstStageBesideAWriteThatWasDoneIsNotAConflictOfThePage() {
        var commit = Commits.saveInStages(List.of(stage("a b", STALE, done(1)), untouched("c")), stops::add);

        assertThat(commit).isInstanceOf(Commit.Unknown.class);
        assertThat(stops).hasSize(1);
    }

    @Test
    void conflictsBeforeAnythingWasWrittenAreAConflictOfThePage() {
        var commit = Commits.saveInStages(List.of(stage("a b", STALE, STALE), untouched("c")), stops::add);

        assertThat(commit).isEqualTo(STALE);
        assertThat(stops).isEmpty();
    }

    @Test
    void aLostAnswerCountsMoreThanAConflict() {
        var commit = Commits.saveInStages(List.of(stage("a b c", STALE, done(1), LOST), untouched("d")), stops::add);

        assertThat(commit).isEqualTo(LOST);
        assertThat(stops).containsExactly(new Stop(PartialCommit.Rest.UNKNOWN, Optional.empty()));
    }

    @Test
    void aLostAnswerOfTheFirstWriteLeavesNothingToRecord() {
        var commit = Commits.saveInStages(List.of(stage("a b", STALE, LOST), untouched("c")), stops::add);

        assertThat(commit).isEqualTo(LOST);
        assertThat(stops).isEmpty();
    }

    @Test
    void aStageThatFailsIsThrownOnlyIfNothingWasWritten() {
        var after = Commits.saveInStages(List.of(stage("a", done(1)), failing("b"), untouched("c")), stops::add);

        assertThat(after).isEqualTo(new Commit.Unknown("1 of 3 writes were done, then one failed: too long"));
        assertThat(stops).containsExactly(new Stop(PartialCommit.Rest.NOT_WRITTEN, Optional.empty()));
        assertThatThrownBy(() -> Commits.saveInStages(List.of(failing("b")), stops::add))
                .isInstanceOf(DatastoreException.class);
    }
}
