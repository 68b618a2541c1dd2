package io.cadastre.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.registry.Commits.Stage;
import io.cadastre.registry.Commits.Stop;
import io.cadastre.registry.Commits.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// How a page is saved in stages.
class CommitsTest {

    private static final Commit STALE = new Commit.Conflict(0, Commit.Kind.STALE);
    private static final Commit LOST = new Commit.Unknown("lost");

    private final List<Stop> stops = new ArrayList<>();

    /// A store that applies writes one by one, and notes which of them it got together.
    private static final class OneByOne implements ForwardingDatastore {

        private final List<String> calls = new ArrayList<>();

        private final Datastore memory = new MemoryDatastore();

        @Override
        public Datastore store() {
            return memory;
        }

        @Override
        public boolean atomic() {
            return false;
        }

        @Override
        public Commit commit(List<Write> writes) {
            calls.add(keys(writes));
            return memory.commit(writes);
        }

        @Override
        public List<Commit> commitEach(List<Write> writes) {
            calls.add(keys(writes));
            return writes.stream().map(write -> memory.commit(List.of(write))).toList();
        }

        private static String keys(List<Write> writes) {
            return String.join(" ", writes.stream().map(Write::key).toList());
        }
    }

    private static List<Write> creating(String... keys) {
        return Stream.of(keys)
                .<Write>map(key -> new Write.Create(key, Bytes.ofUtf8("x")))
                .toList();
    }

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

    @Test
    void writesOfOneStageAreSentTogether() {
        var store = new OneByOne();

        var commit = Commits.saveInStages(
                store,
                List.of(creating("a"), creating("b", "c")),
                _ -> {
                    throw new AssertionError("it stopped");
                },
                Recording.none());

        assertThat(commit).isInstanceOf(Commit.Done.class);
        assertThat(store.calls).containsExactly("a", "b c");
    }

    @Test
    void whatWasDoneOfTheStageThatStoppedIsReported() {
        var store = new OneByOne();
        store.commit(creating("c"));
        var stopped = new ArrayList<Written>();

        var commit = Commits.saveInStages(
                store, List.of(creating("a"), creating("b", "c", "d"), creating("e")), stopped::add, Recording.none());

        assertThat(commit).isEqualTo(new Commit.Unknown("3 of 5 writes were done, then one met EXISTS at c"));
        assertThat(stopped).hasSize(1);
        assertThat(stopped.getFirst().writes()).extracting(Write::key).containsExactly("a", "b", "d");
        assertThat(stopped.getFirst().revision())
                .isEqualTo(store.get("d").orElseThrow().revision());
        assertThat(store.get("e")).isEmpty();
    }
}
