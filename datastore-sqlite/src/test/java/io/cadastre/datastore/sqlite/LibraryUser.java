package io.cadastre.datastore.sqlite;

import java.io.IOException;
import java.nio.file.Path;

/// A process that opens a store with the library of a folder, until it is killed.
final class LibraryUser {

    private LibraryUser() {}

    /// Takes the path of the database, the folder of the library, and the temporary folder.
    public static void main(String[] arguments) throws IOException {
        System.clearProperty("org.sqlite.lib.path");
        System.setProperty("org.sqlite.tmpdir", arguments[2]);
        SqliteLibrary.keepIn(Path.of(arguments[1]));
        try (var _ = SqliteDatastore.open(SqliteSettings.of(Path.of(arguments[0])))) {
            System.out.println("opened");
            while (System.in.read() != -1) {
                // The end of the input says that this process may end.
            }
        }
    }
}
