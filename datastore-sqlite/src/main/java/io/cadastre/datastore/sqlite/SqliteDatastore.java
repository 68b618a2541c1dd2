package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.WriteRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// A store in one SQLite file, which several processes may open at once. The file keeps the journal too.
///
/// A commit is one transaction, durable when it is answered. Its answer is lost only when the disk
/// fails under it, or when its caller stops waiting while another one writes it: then it is
/// [Commit.Unknown].
///
/// If the disk fails under a commit the store serves nothing any more until it is opened again.
public final class SqliteDatastore implements Datastore {

    private final DatabaseFile file;
    private final StoreState standing = new StoreState();
    private final Readers readers;
    private final ChangeSignal signal;
    private final Committer committer;
    private final SqliteJournal journal;

    private SqliteDatastore(DatabaseFile file) {
        this.file = file;
        this.readers = new Readers(file, standing);
        this.signal = new ChangeSignal(file, standing);
        this.journal = SqliteJournal.beside(file);
        this.committer = new Committer(file, standing, signal::committed);
    }

    /// Opens the store, and makes it and its directory if they are absent. Both are for their owner
    /// alone.
    ///
    /// @throws DatastoreException if there is something else in the file, or a store of a newer schema,
    ///     or it cannot be used; then nothing was written
    public static SqliteDatastore open(SqliteSettings settings) {
        return new SqliteDatastore(DatabaseFile.prepare(settings));
    }

    /// Opens a store that may be of the first schema, and takes its journal over.
    ///
    /// @throws DatastoreException as [#open(SqliteSettings)] does, and if the journal records more than
    ///     the store has
    public static SqliteDatastore open(SqliteSettings settings, FormerJournal former) {
        return new SqliteDatastore(DatabaseFile.prepare(settings, List.of(former)));
    }

    /// Opens a store to be read only, also where nothing can be written. Nothing is made: it is empty if
    /// there is no store, and nothing was promised of one.
    ///
    /// @throws DatastoreException if it cannot be looked at, or is not what was promised
    public static Optional<SqliteDatastore> openToRead(SqliteSettings settings) {
        return DatabaseFile.look(settings).map(SqliteDatastore::new);
    }

    /// Whether there is a store.
    ///
    /// @throws DatastoreException if its directory cannot be entered
    public static boolean isThere(SqliteSettings settings) {
        return DatabaseFile.isThere(settings.file());
    }

    /// Opens a store to be written although more was promised of it than it has, so that what is
    /// missing can be added to it. No other process can open it before [#accept(SqliteSettings)]. An
    /// absent store is made.
    ///
    /// @throws DatastoreException as [#open(SqliteSettings)] does
    public static SqliteDatastore openToAdopt(SqliteSettings settings) {
        return new SqliteDatastore(DatabaseFile.adopt(settings, List.of()));
    }

    /// Opens a store to be adopted that is of the first schema or gone, and takes its journal over
    /// although it may record more than the store has. Revisions go on after those that it records.
    ///
    /// @throws DatastoreException as [#open(SqliteSettings)] does
    public static SqliteDatastore openToAdopt(SqliteSettings settings, FormerJournal former) {
        return new SqliteDatastore(DatabaseFile.adopt(settings, List.of(former)));
    }

    /// Opens a store to be read only, whatever was promised of it. Nothing is made or changed: it is empty if
    /// there is no store.
    ///
    /// @throws DatastoreException if it cannot be looked at
    public static Optional<SqliteDatastore> lookToAdopt(SqliteSettings settings) {
        return DatabaseFile.lookToAdopt(settings).map(SqliteDatastore::new);
    }

    /// What was promised of a store and is neither in it nor in these other databases, which are journals of
    /// it or copies. Ask before anything is written to a store that is being adopted.
    ///
    /// @param newestRevision the newest revision of the store that the records of a journal contain
    /// @throws DatastoreException if one of them cannot be looked at
    public static Optional<MissingRecords> findMissing(
            SqliteSettings settings, List<Path> others, ToLongFunction<Journal> newestRevision) {
        return DatabaseFile.findMissing(settings, others, newestRevision);
    }

    /// Takes the store as it is, although more was promised of it than it has: [#open(SqliteSettings)]
    /// opens it from then on. The caller has made sure that nothing is held that the store does not
    /// know.
    ///
    /// @throws DatastoreException as [#open(SqliteSettings)] does
    public static void accept(SqliteSettings settings) {
        DatabaseFile.accept(settings, List.of());
    }

    /// The same for a store that took a journal over, whose file is renamed.
    ///
    /// @throws DatastoreException as [#open(SqliteSettings)] does
    public static void accept(SqliteSettings settings, FormerJournal former) {
        DatabaseFile.accept(settings, List.of(former));
    }

    @Override
    public Optional<Document> get(String key) {
        WriteRules.checkKey(key);
        return readers.read(reader -> reader.find(Bytes.ofUtf8(key)));
    }

    /// In one transaction.
    @Override
    public Map<String, Document> getAll(List<String> keys) {
        keys.forEach(WriteRules::checkKey);
        return keys.isEmpty()
                ? Map.of()
                : readers.read(reader ->
                        reader.findAll(keys.stream().map(Bytes::ofUtf8).toList()));
    }

    @Override
    public Listing list(String prefix, int limit) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkLimit(limit);
        return readers.read(reader -> reader.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        WriteRules.checkCursor(cursor);
        WriteRules.checkLimit(limit);
        return readers.read(reader -> reader.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkRevision(after);
        standing.check();
        return new SqliteWatch(readers, signal, standing, prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        standing.check();
        return committer.commit(new QueuedCommit(copy));
    }

    /// The same at every call. It is closed with the store.
    @Override
    public Optional<Journal> journal() {
        return Optional.of(journal);
    }

    @Override
    public Commit commit(List<Write> writes, Records records) {
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        standing.check();
        return committer.commit(new QueuedCommit(copy, records));
    }

    /// Forgets the history up to this revision; what is current stays. The store does so by itself as
    /// the settings say.
    public void compact(long revision) {
        WriteRules.checkRevision(revision);
        readers.read(_ -> {
            try (var writer = new DocumentWriter(file, standing)) {
                writer.begin();
                writer.forget(revision);
                writer.finish();
                writer.commit();
                return revision;
            }
        });
        signal.happened();
    }

    @Override
    public void close() {
        if (standing.close()) {
            signal.close();
            committer.close();
            journal.close();
            readers.close();
            file.close();
        }
    }
}
