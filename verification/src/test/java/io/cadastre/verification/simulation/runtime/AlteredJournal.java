package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingJournal;
import io.cadastre.datastore.Journal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// A journal whose entries go another way.
public record AlteredJournal(
        Journal journal, Consumer<Function<Optional<Journal.Entry>, List<Journal.Draft>>> appending)
        implements ForwardingJournal {

    /// Takes an entry that could not be written for one that was.
    public static AlteredJournal swallowing(Journal journal) {
        return new AlteredJournal(journal, next -> {
            try {
                journal.append(next);
            } catch (DatastoreException _) {
                // That is the mistake.
            }
        });
    }

    /// Takes an entry whose answer was lost for one that was not written, and writes it again.
    public static AlteredJournal insisting(Journal journal) {
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
}
