package io.cadastre.registry;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A journal whose disk may be full, or too slow for an answer.
final class FailingJournal implements Journal {

    private final Journal journal = new MemoryJournal();
    private volatile boolean failing;
    private volatile boolean losingAnswers;

    /// Whether nothing is appended from now on.
    void fail(boolean fail) {
        failing = fail;
    }

    /// Whether nobody learns from now on that his records were appended.
    void loseAnswers(boolean lose) {
        losingAnswers = lose;
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        if (failing) {
            throw new DatastoreException(DatastoreException.Kind.FULL, "no room left");
        }
        journal.append(next);
        if (losingAnswers) {
            throw new DatastoreException(DatastoreException.Kind.DEADLINE, "no answer");
        }
    }

    @Override
    public List<Entry> read(long from, int limit) {
        return journal.read(from, limit);
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        return journal.find(query, from, limit);
    }

    @Override
    public void close() {}
}
