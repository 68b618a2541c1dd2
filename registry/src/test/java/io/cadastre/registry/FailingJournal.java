package io.cadastre.registry;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A journal whose disk may be full, or too slow for an answer.
final class FailingJournal implements ForwardingJournal {

    private final Journal journal = new MemoryJournal();
    private volatile boolean failing;
    private volatile boolean losingAnswers;
    private volatile @Nullable Error thrownByLooks;
    private volatile int contentBytesMax = CONTENT_BYTES_MAX;

    /// Whether nothing is appended from now on.
    void fail(boolean fail) {
        failing = fail;
    }

    /// Whether the answers to appends are lost from now on.
    void loseAnswers(boolean lose) {
        losingAnswers = lose;
    }

    /// Refuses records that are larger, now and for ever.
    void refuseOver(int bytes) {
        contentBytesMax = bytes;
    }

    /// Ends each look like this from now on.
    void failLooks(Error error) {
        thrownByLooks = error;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        if (failing) {
            throw new DatastoreException(DatastoreException.Kind.FULL, "no room left");
        }
        journal.append(next.andThen(this::checked));
        if (losingAnswers) {
            throw new DatastoreException(DatastoreException.Kind.DEADLINE, "no answer");
        }
    }

    private List<Draft> checked(List<Draft> drafts) {
        if (drafts.stream().anyMatch(draft -> draft.content().size() > contentBytesMax)) {
            throw new IllegalArgumentException("too large");
        }
        return drafts;
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        var thrown = thrownByLooks;
        if (thrown != null) {
            throw thrown;
        }
        return journal.look(work);
    }

    @Override
    public void close() {}
}
