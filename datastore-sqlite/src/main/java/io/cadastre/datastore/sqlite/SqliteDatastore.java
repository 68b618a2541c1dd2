package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Rules;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// A store in one SQLite file, which several processes may open at once.
///
/// A commit is one transaction, durable when it is answered. Its answer is lost only when the disk
/// fails under it, or when its caller stops waiting while another one writes it: then it is
/// [Commit.Unknown].
///
/// If the disk fails under a commit the store serves nothing any more until it is opened again.
public final class SqliteDatastore implements Datastore {

    private final DatabaseFile file;
    private final Standing standing = new Standing();
    private final Readers readers;
    private final Signal signal;
    private final Committer committer;

    private SqliteDatastore(DatabaseFile file) throws SQLException {
        this.file = file;
        this.readers = new Readers(file, standing);
        this.signal = new Signal(file, standing);
        this.committer = new Committer(file, standing, signal::committed);
    }

    /// Opens the store, and makes it and its directory if they are absent. Both are for their owner
    /// alone.
    ///
    /// @throws DatastoreException if there is something else in the file, or a store of a newer schema,
    ///     or it cannot be used; then nothing was written
    public static SqliteDatastore open(SqliteSettings settings) {
        var file = DatabaseFile.prepare(settings);
        try {
            return new SqliteDatastore(file);
        } catch (SQLException failure) {
            throw Failures.of(file.path(), failure);
        }
    }

    @Override
    public Optional<Document> get(String key) {
        Rules.checkKey(key);
        return readers.read(reader -> reader.find(Bytes.ofUtf8(key)));
    }

    @Override
    public Listing list(String prefix, int limit) {
        Rules.checkPrefix(prefix);
        Rules.checkLimit(limit);
        return readers.read(reader -> reader.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        Rules.checkCursor(cursor);
        Rules.checkLimit(limit);
        return readers.read(reader -> reader.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        Rules.checkPrefix(prefix);
        Rules.checkRevision(after);
        standing.check();
        return new SqliteWatch(readers, signal, standing, prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        var copy = List.copyOf(writes);
        Rules.checkWrites(copy);
        standing.check();
        return committer.commit(new Request(copy));
    }

    /// Forgets the history up to this revision; what is current stays. The store does so by itself as
    /// the settings say.
    public void compact(long revision) {
        Rules.checkRevision(revision);
        readers.read(
                _ -> {
                    try (var writer = new Writer(file)) {
                        writer.begin();
                        writer.forget(revision);
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
            readers.close();
        }
    }
}
