package io.cadastre.datastore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/// How the file of a new store comes to be.
///
/// The first process wins: the store is made whole under another name and then linked to its own,
/// which fails if that exists. So no process ever sees half a store, whenever another one making it
/// is killed. What a killed process left is removed by the next one that makes the store; one that
/// is killed after it has linked leaves a second name of the store, which is never opened.
final class DatabaseCreation {

    private DatabaseCreation() {}

    /// Makes the store, unless another process does so meanwhile.
    static void create(SqliteSettings settings) throws IOException, SQLException {
        var file = settings.file();
        var directory = DatabaseFile.directory(file);
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.isWritable(directory)) {
            throw DatabaseFile.readOnly(directory);
        }
        // A temporary file is readable for its owner alone, and so are the files SQLite makes
        // beside.
        var draft = Files.createTempFile(directory, file.getFileName() + ".", ".new");
        try {
            // Not made again if it was removed: it would be readable for others.
            try (var connection = DatabaseFile.open(settings, draft, "?mode=rw")) {
                Schema.create(connection);
            }
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException _) {
            // Another process made the store meanwhile; ours is not needed.
        } catch (SQLException | NoSuchFileException failure) {
            // The process that made the store meanwhile has removed our draft.
            if (!Files.exists(file)) {
                throw failure;
            }
        } finally {
            Files.deleteIfExists(draft);
        }
        removeDrafts(directory, file);
        try (var entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /// Once the store exists no draft of it is needed, whether its process was killed or is about to find
    /// that it was too late. A database goes before the files beside it, so that it cannot be linked
    /// without what they hold.
    private static void removeDrafts(Path directory, Path file) throws IOException {
        var draft =
                Pattern.compile(Pattern.quote(file.getFileName().toString()) + "\\.[0-9]+\\.new(-journal|-wal|-shm)?");
        List<Path> drafts;
        try (var entries = Files.list(directory)) {
            drafts = entries.filter(entry ->
                            draft.matcher(entry.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
        for (var unneeded : drafts) {
            Files.deleteIfExists(unneeded);
        }
    }
}
