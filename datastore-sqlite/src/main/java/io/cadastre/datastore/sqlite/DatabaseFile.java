package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

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

    /// Whether the store must have what was promised.
    private enum Promises {
        KEPT,
        FORGOTTEN
    }

    private enum Access {
        READ,
        WRITE
    }

    private final Path file;
    private final SqliteSettings settings;
    private final Access access;
    private final Promises promises;
    private final MarkFile mark;

    /// How connections open it.
    private String mode = "?mode=rw";

    /// Which file had the path when it was prepared: its device and inode.
    private @Nullable Object key;

    private DatabaseFile(SqliteSettings settings, Access access, Promises promises) {
        this.promises = promises;
        this.access = access;
        this.file = settings.file();
        this.settings = settings;
        this.mark = new MarkFile(file);
    }

    /// Finds or makes the store.
    ///
    /// @throws DatastoreException if it cannot be, or is not one; then nothing was written
    static DatabaseFile prepare(SqliteSettings settings) {
        return prepare(settings, Promises.KEPT, List.of());
    }

    /// Finds or makes the store, and takes the journal over that it had in another file.
    static DatabaseFile prepare(SqliteSettings settings, List<FormerJournal> formers) {
        return prepare(settings, Promises.KEPT, formers);
    }

    private static DatabaseFile prepare(SqliteSettings settings, Promises promises, List<FormerJournal> formers) {
        var prepared = new DatabaseFile(settings, Access.WRITE, promises);
        return prepared.sayingWhatFailed(() -> {
            var promised = prepared.mark.read();
            var takeOver = new JournalImport(formers);
            if (!isThere(prepared.file)) {
                switch (promises) {
                    case KEPT -> {
                        prepared.requireNothingPromised(promised);
                        takeOver.requireNone(prepared);
                    }
                    case FORGOTTEN -> takeOver.promise(prepared);
                }
                DatabaseCreation.create(settings);
            }
            prepared.inspect();
            prepared.requireWritable();
            prepared.key = prepared.keyNow();
            prepared.compare(promises, promised, takeOver);
            return prepared;
        });
    }

    /// Finds a store to be read. Nothing is written. Empty if there is none and nothing was promised of one.
    ///
    /// @throws DatastoreException if it cannot be looked at, or is not what was promised
    static Optional<DatabaseFile> look(SqliteSettings settings) {
        return look(settings, Promises.KEPT);
    }

    /// Finds a store to be read, whatever was promised of it. Nothing is written.
    ///
    /// @throws DatastoreException if it cannot be looked at
    static Optional<DatabaseFile> lookToAdopt(SqliteSettings settings) {
        return look(settings, Promises.FORGOTTEN);
    }

    private static Optional<DatabaseFile> look(SqliteSettings settings, Promises promises) {
        var found = new DatabaseFile(settings, Access.READ, promises);
        return found.sayingWhatFailed(() -> {
            Optional<HighWaterMark> promised = promises == Promises.KEPT ? found.mark.read() : Optional.empty();
            if (!isThere(found.file)) {
                found.requireNothingPromised(promised);
                return Optional.empty();
            }
            found.inspect();
            found.key = found.keyNow();
            found.mode = found.modeToRead();
            found.compareUnlocked(promised);
            return Optional.of(found);
        });
    }

    /// Whether there is a file.
    ///
    /// @throws DatastoreException if its directory cannot be entered
    static boolean isThere(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        } catch (AccessDeniedException denied) {
            throw denied(denied);
        } catch (IOException failure) {
            // Such as a file in place of a directory, which is reported when the directory is made.
            return false;
        }
    }

    private interface Step<T> {
        T run() throws IOException, SQLException;
    }

    private <T> T sayingWhatFailed(Step<T> step) {
        try {
            return step.run();
        } catch (SQLException failure) {
            throw SqliteFailures.of(file, failure);
        } catch (AccessDeniedException denied) {
            throw denied(denied);
        } catch (FileAlreadyExistsException | NotDirectoryException notDirectory) {
            throw new DatastoreException(
                    Kind.UNREACHABLE,
                    "%s is not a directory, so %s cannot be made".formatted(notDirectory.getFile(), file),
                    notDirectory);
        } catch (IOException failure) {
            throw new DatastoreException(Kind.UNREACHABLE, "%s cannot be made: %s".formatted(file, failure), failure);
        }
    }

    /// Makes the store as it is the one that is promised, whatever was promised before. A store that is
    /// absent is made.
    ///
    /// @throws DatastoreException as [#prepare(SqliteSettings)] does
    static void accept(SqliteSettings settings, List<FormerJournal> formers) {
        var adopted = adopt(settings, formers);
        adopted.sayingWhatFailed(() -> {
            try (var connection = adopted.connectToWrite()) {
                new MarkedTransaction(adopted, new StoreState(), connection).accept();
                new JournalImport(formers).renameTaken(connection);
                return adopted;
            }
        });
        adopted.close();
    }

    /// Finds or makes the store, whatever was promised of it, and takes the journal over that it had in
    /// another file. What was promised stays promised, and so does what that journal records.
    static DatabaseFile adopt(SqliteSettings settings, List<FormerJournal> formers) {
        return prepare(settings, Promises.FORGOTTEN, formers);
    }

    /// What was promised of the database and is neither in it nor in other ones.
    static Optional<MissingRecords> findMissing(
            SqliteSettings settings, List<Path> others, ToLongFunction<Journal> newestRevision) {
        var asked = new DatabaseFile(settings, Access.READ, Promises.FORGOTTEN);
        return asked.sayingWhatFailed(() -> {
            var promised = asked.mark.read();
            return promised.isEmpty()
                    ? Optional.empty()
                    : MissingRecords.find(
                            promised.get(),
                            Stream.concat(Stream.of(asked.file), others.stream())
                                    .toList(),
                            newestRevision);
        });
    }

    /// Whether it must have what was promised.
    boolean keepsPromises() {
        return promises == Promises.KEPT;
    }

    private static DatastoreException denied(AccessDeniedException denied) {
        return new DatastoreException(Kind.UNREACHABLE, "no permission to use %s".formatted(denied.getFile()), denied);
    }

    Path path() {
        return file;
    }

    MarkFile mark() {
        return mark;
    }

    /// What to do about a store that is not what was promised.
    String remedy() {
        return "; put the newest one back, or run 'cadastre ipam adopt', which asks its ledger and"
                + " the machine who holds what, and goes on with it";
    }

    /// Refuses to go on if the path no longer names the file that was opened: no other process would
    /// see what is done to that file.
    ///
    /// @throws DatastoreException if so; then nothing is served any more
    void requireInPlace(StoreState standing) {
        if (!isInPlace()) {
            var refusal = displaced();
            standing.fail(String.valueOf(refusal.getMessage()), refusal);
            throw refusal;
        }
    }

    private boolean isInPlace() {
        return Objects.equals(key, keyNow());
    }

    private DatastoreException displaced() {
        return new DatastoreException(
                Kind.UNREACHABLE,
                "%s was moved, removed or replaced while it was open; what was done before is in the".formatted(file)
                        + " file that was opened");
    }

    /// The file is not opened for it, see above. Null if there is none.
    private @Nullable Object keyNow() {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException _) {
            return null;
        }
    }

    private void requireNothingPromised(Optional<HighWaterMark> promised) {
        if (promised.isPresent() && !promised.get().isZero()) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "%s is gone, and it had come to revision %d as %s says%s"
                            .formatted(file, promised.get().revision(), mark.path(), remedy()));
        }
    }

    /// Brings an old store to the present schema, makes a mark where there is none, and otherwise compares.
    private void compare(Promises promises, Optional<HighWaterMark> promised, JournalImport takeOver)
            throws IOException, SQLException {
        try (var connection = connect()) {
            Schema.check(connection, file);
            if (promises == Promises.FORGOTTEN) {
                if (Schema.isOld(connection) || !takeOver.isDone(connection)) {
                    takeOver.promise(this);
                    upgrade(connection, takeOver);
                }
                return;
            }
            if (Schema.isOld(connection)) {
                upgrade(connection, takeOver);
            }
            var transaction = new MarkedTransaction(this, new StoreState(), connection);
            if (promised.isPresent() && !promised.get().isZero()) {
                transaction.require(promised.get(), transaction.read());
            } else {
                transaction.begin();
                transaction.finish();
                transaction.commit();
            }
        }
        takeOver.rename();
    }

    private void upgrade(Connection connection, JournalImport takeOver) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = FULL");
            takeOver.attach(connection);
            statement.execute("BEGIN IMMEDIATE");
            if (!takeOver.isDone(connection)) {
                takeOver.copy(this, connection);
            }
            Schema.upgrade(connection);
            statement.execute("COMMIT");
            takeOver.detach(connection);
        }
    }

    private void compareUnlocked(Optional<HighWaterMark> promised) throws SQLException {
        try (var connection = connect()) {
            Schema.check(connection, file);
            if (promised.isPresent() && !Schema.isOld(connection)) {
                var transaction = new MarkedTransaction(this, new StoreState(), connection);
                transaction.requireNotBehind(promised.get(), transaction.read());
            }
        }
    }

    /// In a directory that cannot be written SQLite reads a store only if it has nothing to do beside it.
    private String modeToRead() throws IOException {
        if (Files.isWritable(directory()) && Files.isWritable(file)) {
            return mode;
        }
        var log = file.resolveSibling(file.getFileName() + "-wal");
        return Files.exists(log) && Files.size(log) > 0 ? "?mode=ro" : "?mode=ro&immutable=1";
    }

    /// Whether the store is one of the first schema, whose journal has a file of its own.
    boolean isOld() {
        return sayingWhatFailed(() -> {
            try (var connection = connect()) {
                return Schema.isOld(connection);
            }
        });
    }

    SqliteSettings settings() {
        return settings;
    }

    /// Closes the mark. The connections are closed by their users.
    void close() {
        try {
            mark.close();
        } catch (IOException failure) {
            throw new DatastoreException(Kind.FAILED, "%s cannot be closed".formatted(mark.path()), failure);
        }
    }

    /// A connection of which every commit is durable when it returns.
    ///
    /// @throws DatastoreException if the store was opened to be read
    Connection connectToWrite() throws SQLException {
        requireWritable();
        var connection = connect();
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
        var connection = connect();
        try (var statement = connection.createStatement()) {
            Schema.check(connection, file);
            statement.execute("PRAGMA query_only = ON");
            return connection;
        } catch (SQLException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    /// Looks at the file without locks and without leaving anything beside it, since it may belong to
    /// someone else.
    private void inspect() throws SQLException {
        if (!Files.isRegularFile(file)) {
            throw new DatastoreException(Kind.FOREIGN, "%s is not a file".formatted(file));
        }
        if (!Files.isReadable(file)) {
            throw new DatastoreException(Kind.UNREACHABLE, "no permission to read %s".formatted(file));
        }
        checkUntouched();
    }

    /// Whether it was opened to be read.
    boolean isReadOnly() {
        return access == Access.READ;
    }

    void requireWritable() {
        if (isReadOnly()) {
            throw new DatastoreException(Kind.READ_ONLY, "%s was opened to be read".formatted(file));
        }
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
        try (var connection = open(settings, file, "?mode=ro&immutable=1")) {
            Schema.check(connection, file);
        } catch (SQLException failure) {
            if (!SqliteFailures.isCorrupt(failure)) {
                throw failure;
            }
        }
    }

    static DatastoreException readOnly(Path path) {
        return new DatastoreException(Kind.READ_ONLY, "%s is read-only; an embedded store is written".formatted(path));
    }

    private Path directory() {
        return directory(file);
    }

    /// The directory of the file.
    static Path directory(Path file) {
        var parent = file.getParent();
        if (parent == null) {
            throw new DatastoreException(Kind.FOREIGN, "%s is not a file".formatted(file));
        }
        return parent;
    }

    /// A file that is gone meanwhile is not made again.
    private Connection connect() throws SQLException {
        if (!isInPlace()) {
            throw displaced();
        }
        return open(settings, file, mode);
    }

    /// The path goes in as a URI, because the driver would take a `?` in a plain path for its own.
    static Connection open(SqliteSettings settings, Path path, String parameters) throws SQLException {
        SqliteLibrary.provide();
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) Math.min(settings.callLimit().toMillis(), Integer.MAX_VALUE));
        // The driver would look for the key of every row that is inserted, by a query of its own.
        config.setGetGeneratedKeys(false);
        return config.createConnection("jdbc:sqlite:file:" + path.toUri().getRawPath() + parameters);
    }
}
