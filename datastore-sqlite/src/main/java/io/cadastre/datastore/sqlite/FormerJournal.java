package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToLongFunction;

/// The journal of a store of the first schema, which had a file of its own beside it.
///
/// @param newestRevision the newest revision of the store that the records of a journal contain
public record FormerJournal(Path file, ToLongFunction<Journal> newestRevision) {

    public FormerJournal {
        file = file.toAbsolutePath().normalize();
    }

    /// What it is called when its records are in the store. One that was taken over before keeps its name.
    Path nameWhenTaken() {
        var name = file.resolveSibling(file.getFileName() + ".taken-over");
        // Ends: a directory has not that many files.
        for (int count = 2; Files.exists(name); count++) {
            name = file.resolveSibling("%s.taken-over-%d".formatted(file.getFileName(), count));
        }
        return name;
    }
}
