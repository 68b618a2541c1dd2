package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a store promises when the answer of a commit is lost. Only for stores that can lose one.
public abstract class LostAnswerContract {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private final List<Datastore> opened = new ArrayList<>();

    /// Opens a handle on the data of this test.
    protected abstract Datastore open(Duration callLimit) throws Exception;

    /// Commits keys that do not exist yet, in a way that the commit takes effect or does not, and its
    /// answer does not arrive.
    protected abstract Lost lose(Effect effect) throws Exception;

    /// Whether a commit whose answer is lost happens.
    public enum Effect {
        APPLIED,
        NOT_APPLIED
    }

    /// A commit of creations, and its outcome.
    public record Lost(List<Write> writes, Commit told) {}

    @AfterEach
    void closeWhatWasOpened() {
        opened.forEach(Datastore::close);
    }

    @Test
    void lostAnswerOfACommitThatHappenedIsUnknownAndReadingAgainFindsIt() throws Exception {
        var lost = lose(Effect.APPLIED);

        var store = openStore();
        assertThat(lost.told()).isInstanceOf(Commit.Unknown.class);
        // The writes "may yet be" applied: the store is given the time.
        await().atMost(AMPLE)
                .until(() -> store.get(lost.writes().getFirst().key()).isPresent());
        assertThat(lost.writes()).allMatch(write -> store.get(write.key()).isPresent());
        assertThat(store.commit(lost.writes())).isEqualTo(new Commit.Conflict(0, Commit.Kind.EXISTS));
    }

    @Test
    void lostAnswerOfACommitThatDidNotHappenIsUnknownAndMayBeDecidedAfresh() throws Exception {
        var lost = lose(Effect.NOT_APPLIED);

        var store = openStore();
        assertThat(lost.told()).isInstanceOf(Commit.Unknown.class);
        assertThat(lost.writes()).allMatch(write -> store.get(write.key()).isEmpty());
        assertThat(store.commit(lost.writes())).isInstanceOf(Commit.Done.class);
        assertThat(lost.writes()).allMatch(write -> store.get(write.key()).isPresent());
    }

    protected Datastore openStore() throws Exception {
        var store = open(AMPLE);
        opened.add(store);
        return store;
    }
}
