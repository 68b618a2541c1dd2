package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;

import org.sqlite.SQLiteConfig;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;

/// The file of an embedded store: made if it is absent, looked at before it is touched, connected to.
///
/// The file is never opened but through SQLite. Closing any other descriptor on it would drop the
/// locks that SQLite holds for the whole process (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
final class DatabaseFile {

    /// SQLite copies its write-ahead log into the database when it has this many pages, 32 MiB. A page
    /// that was written often is copied once, and a copy needs syncs of its own: with the usual
    /// thousand pages a busy store would spend a third of its time on that. A greater number would
    /// make opening after a crash slower, which reads the log.
    private static final int CHECKPOINT_PAGES = 8192;

    /// SQLite truncates the write-ahead log to this when it begins it anew.
    private static final long WAL_BYTES_KEPT = 64L << 20;

    private final Path file;
    private final SqliteSettings settings;

    private DatabaseFile(SqliteSettings settings) {
        this.file = settings.file();
        this.settings = settings;
    }

    /// Finds or makes the store.
    ///
    /// @throws DatastoreException if it cannot be, or is not one; then nothing was written
    static DatabaseFile prepare(SqliteSettings settings) {
        var prepared = new DatabaseFile(settings);
        var file = settings.file();
        try {
            if (!Files.exists(file)) {
                prepared.make();
            }
            prepared.inspect();
            return prepared;
        } catch (SQLException failure) {
            throw Failures.of(file, failure);
        } catch (AccessDeniedException denied) {
            throw new DatastoreException(
                    Kind.UNREACHABLE,
                    "no permission to use %s".formatted(denied.getFile()),
                    denied);
        } catch (FileAlreadyExistsException | NotDirectoryException notDirectory) {
            throw new DatastoreException(
                    Kind.UNREACHABLE,
                    "%s is not a directory, so %s cannot be made"
                            .formatted(notDirectory.getFile(), file),
                    notDirectory);
        } catch (IOException failure) {
            throw new DatastoreException(
                    Kind.UNREACHABLE, "%s cannot be made: %s".formatted(file, failure), failure);
        }
    }

    Path path() {
        return file;
    }

    SqliteSettings settings() {
        return settings;
    }

    /// A connection of which every commit is durable when it returns.
    Connection connectToWrite() throws SQLException {
        var connection = open(file, "");
        try (var statement = connection.createStatement()) {
            Schema.check(connection, file);
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
            statement.execute("PRAGMA journal_size_limit = " + WAL_BYTES_KEPT);
            long pageBytes;
            try (var rows = statement.executeQuery("PRAGMA page_size")) {
                pageBytes = rows.getLong(1);
            }
            statement.execute("PRAGMA max_page_count = " + settings.fileBytesMax() / pageBytes);
            return connection;
        } catch (SQLException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    /// A connection that cannot write.
    Connection connectToRead() throws SQLException {
        var connection = open(file, "");
        try (var statement = connection.createStatement()) {
            Schema.check(connection, file);
            statement.execute("PRAGMA query_only = ON");
            return connection;
        } catch (SQLException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    /// Whoever comes first wins: the store is made whole under another name and then linked to its
    /// own, which fails if that exists. So no process ever sees half a store, whenever another one
    /// making it is killed. What that one left is removed by who makes the store after it; killed when
    /// it had linked already, it leaves a second name of the store, which nobody opens.
    private void make() throws IOException, SQLException {
        var directory = directory();
        Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.isWritable(directory)) {
            throw readOnly(directory);
        }
        // A temporary file is readable for its owner alone, and so are the files SQLite makes
        // beside.
        var draft = Files.createTempFile(directory, file.getFileName() + ".", ".new");
        try {
            // Not made again if somebody has removed it: it would be readable for others.
            try (var connection = open(draft, "?mode=rw")) {
                Schema.create(connection);
            }
            link(draft);
        } catch (SQLException | NoSuchFileException failure) {
            // Whoever made the store meanwhile has removed our draft.
            if (!Files.exists(file)) {
                throw failure;
            }
        } finally {
            Files.deleteIfExists(draft);
        }
        removeDrafts(directory);
        try (var entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /// Once the store exists no draft of it is needed, whether its process was killed or is about to find
    /// that it was too late. A database goes before the files beside it, so that it cannot be linked
    /// without what they hold.
    private void removeDrafts(Path directory) throws IOException {
        var draft =
                Pattern.compile(
                        Pattern.quote(file.getFileName().toString())
                                + "\\.[0-9]+\\.new(-journal|-wal|-shm)?");
        List<Path> drafts;
        try (var entries = Files.list(directory)) {
            drafts =
                    entries.filter(entry -> draft.matcher(entry.getFileName().toString()).matches())
                            .sorted()
                            .toList();
        }
        for (var unneeded : drafts) {
            Files.deleteIfExists(unneeded);
        }
    }

    private void link(Path draft) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException _) {
            // Another process made the store meanwhile; ours is not needed.
        }
    }

    /// Looks at the file without locks and without leaving anything beside it, since it may belong to
    /// someone else.
    private void inspect() throws SQLException {
        if (!Files.isRegularFile(file)) {
            throw new DatastoreException(Kind.FOREIGN, "%s is not a file".formatted(file));
        }
        if (!Files.isReadable(file)) {
            throw new DatastoreException(
                    Kind.UNREACHABLE, "no permission to read %s".formatted(file));
        }
        checkUntouched();
        if (!Files.isWritable(file)) {
            throw readOnly(file);
        }
        if (!Files.isWritable(directory())) {
            throw readOnly(directory());
        }
    }

    /// The file alone makes no sense while another process copies its write-ahead log into it, or after
    /// that process was killed. Then it is checked when it is connected to, and SQLite reads both.
    private void checkUntouched() throws SQLException {
        try (var connection = open(file, "?mode=ro&immutable=1")) {
            Schema.check(connection, file);
        } catch (SQLException failure) {
            if (!Failures.isCorrupt(failure)) {
                throw failure;
            }
        }
    }

    private static DatastoreException readOnly(Path path) {
        return new DatastoreException(
                Kind.READ_ONLY, "%s is read-only; an embedded store is written".formatted(path));
    }

    private Path directory() {
        var parent = file.getParent();
        if (parent == null) {
            throw new DatastoreException(Kind.FOREIGN, "%s is not a file".formatted(file));
        }
        return parent;
    }

    /// The path goes in as a URI, because the driver would take a `?` in a plain path for its own.
    private Connection open(Path path, String parameters) throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) Math.min(settings.callLimit().toMillis(), Integer.MAX_VALUE));
        // The driver would look for the key of every row that is inserted, by a query of its own.
        config.setGetGeneratedKeys(false);
        return config.createConnection(
                "jdbc:sqlite:file:" + path.toUri().getRawPath() + parameters);
    }
}
