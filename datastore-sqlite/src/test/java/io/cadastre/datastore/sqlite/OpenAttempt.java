package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import java.nio.file.Path;

/// A process that opens a store and says how that ended.
final class OpenAttempt {

    private OpenAttempt() {}

    /// Takes the path of the database, and a second word if it is only to be read. Prints what was found, or
    /// the kind and the message of a refusal.
    public static void main(String[] arguments) {
        if (arguments.length > 1) {
            look(Path.of(arguments[0]));
            return;
        }
        try (var _ = SqliteDatastore.open(SqliteSettings.of(Path.of(arguments[0])))) {
            System.out.println("opened");
        } catch (DatastoreException refusal) {
            System.out.println(refusal.kind() + " " + refusal.getMessage());
        }
    }

    private static void look(Path file) {
        try {
            var found = SqliteDatastore.openToRead(SqliteSettings.of(file));
            if (found.isEmpty()) {
                System.out.println("absent");
                return;
            }
            try (var store = found.get();
                    var journal = store.journal().orElseThrow()) {
                System.out.println("%d documents, %d records"
                        .formatted(
                                store.listAll("").documents().size(),
                                journal.read(1, 1000).size()));
            }
        } catch (DatastoreException refusal) {
            System.out.println(refusal.kind() + " " + refusal.getMessage());
        }
    }
}
