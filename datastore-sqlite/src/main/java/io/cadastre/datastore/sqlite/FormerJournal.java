package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Journal;

import java.nio.file.Path;
import java.util.function.ToLongFunction;

/// The journal of a store of the first schema, which had a file of its own beside it.
///
/// @param newestRevision the newest revision of the store that the records of a journal tell of
public record FormerJournal(Path file, ToLongFunction<Journal> newestRevision) {

    public FormerJournal {
        file = file.toAbsolutePath().normalize();
    }

    /// What it is called when its records are in the store.
    Path nameWhenTaken() {
        return file.resolveSibling(file.getFileName() + ".taken-over");
    }
}
