package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;

import java.nio.file.Path;

/// A process that opens a store and says how that ended.
final class OpenAttempt {

    private OpenAttempt() {}

    /// Takes the path of the database. Prints the kind and the message of a refusal.
    public static void main(String[] arguments) {
        try (var _ = SqliteDatastore.open(SqliteSettings.of(Path.of(arguments[0])))) {
            System.out.println("opened");
        } catch (DatastoreException refusal) {
            System.out.println(refusal.kind() + " " + refusal.getMessage());
        }
    }
}
