package io.cadastre.verification.simulation;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// A journal whose entries go another way.
record AlteredJournal(Journal journal, Consumer<Function<Optional<Journal.Entry>, List<Journal.Draft>>> appending)
        implements Journal {

    /// Takes an entry that could not be written for one that was.
    static AlteredJournal swallowing(Journal journal) {
        return new AlteredJournal(journal, next -> {
            try {
                journal.append(next);
            } catch (DatastoreException _) {
                // That is the mistake.
            }
        });
    }

    /// Takes an entry whose answer was lost for one that was not written, and writes it again.
    static AlteredJournal insisting(Journal journal) {
        return new AlteredJournal(journal, next -> {
            try {
                journal.append(next);
            } catch (DatastoreException _) {
                journal.append(next);
            }
        });
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        appending.accept(next);
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
    public <T> T look(Function<Look, T> work) {
        return journal.look(work);
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        journal.cut(work);
    }

    @Override
    public void close() {
        journal.close();
    }
}
