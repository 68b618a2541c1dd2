package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndependentWritesTest {

    private static final Commit DONE = new Commit.Done(List.of(7L));
    private static final Commit CONFLICT = new Commit.Conflict(0, Commit.Kind.STALE);

    private final List<Write> writes =
            List.of(new Write.Delete("a", 1), new Write.Delete("b", 1), new Write.Delete("c", 1));

    @Test
    void aWriteThatFailsBesideOneThatIsDoneIsUnknown() {
        var commits = IndependentWrites.commits(writes, write -> switch (write.key()) {
            case "a" -> throw failure("too long");
            case "b" -> CONFLICT;
            default -> DONE;
        });

        assertThat(commits).containsExactly(new Commit.Unknown("writing a failed: too long"), CONFLICT, DONE);
    }

    @Test
    void aWriteThatFailsBesideOneWhoseAnswerWasLostIsUnknown() {
        var lost = new Commit.Unknown("lost");

        var commits = IndependentWrites.commits(writes, write -> {
            if (write.key().equals("b")) {
                return lost;
            }
            throw failure("away");
        });

        assertThat(commits)
                .containsExactly(
                        new Commit.Unknown("writing a failed: away"),
                        lost,
                        new Commit.Unknown("writing c failed: away"));
    }

    @Test
    void theFirstFailureIsThrownIfNothingWasWrittenAndAllWritesAreTried() {
        var tried = new ArrayList<String>();

        assertThatThrownBy(() -> IndependentWrites.commits(writes, write -> {
                    tried.add(write.key());
                    if (write.key().equals("b")) {
                        return CONFLICT;
                    }
                    throw failure("no " + write.key());
                }))
                .isInstanceOf(DatastoreException.class)
                .hasMessage("no a");
        assertThat(tried).containsExactly("a", "b", "c");
    }

    private static DatastoreException failure(String message) {
        return new DatastoreException(DatastoreException.Kind.FAILED, message);
    }
}
