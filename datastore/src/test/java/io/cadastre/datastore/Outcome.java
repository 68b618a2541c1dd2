package io.cadastre.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;

/// The outcome of a commit that creates keys: a [Commit], or the exception it ended in.
record Outcome(List<Write> writes, Object told) {

    static Outcome of(Datastore store, List<Write> writes) {
        try {
            return new Outcome(writes, store.commit(writes));
        } catch (DatastoreException failure) {
            return new Outcome(writes, failure);
        }
    }

    /// Compares the outcome with the store.
    void checkTrue(Datastore store, boolean transactional) {
        var present =
                writes.stream().map(write -> store.get(write.key()).isPresent()).toList();
        switch (told) {
            case Commit.Done _ -> assertThat(present).containsOnly(true);
            case Commit.Unknown _ -> {
                if (transactional) {
                    assertThat(present).containsOnly(present.getFirst());
                } else {
                    // Writes are applied in their order, so none is missing before one that is
                    // there.
                    assertThat(present).isSortedAccordingTo(Comparator.reverseOrder());
                }
            }
            // A commit that ended in an exception has no effect later either: its keys are free.
            case DatastoreException _ -> assertThat(store.commit(writes)).isInstanceOf(Commit.Done.class);
            default -> throw new AssertionError(this);
        }
    }
}
