package io.cadastre.datastore.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// The writing end of the log: what each key held before it was changed, as far back as the settings
/// allow. Used inside the transaction that makes the changes.
final class ChangeLog {

    /// A chunk is written when it has this many bytes, or at the end of the transaction.
    private static final int CHUNK_BYTES = 1 << 20;

    /// How much is written before it is looked whether something is to be forgotten.
    private static final int TRIM_REVISIONS = 64;

    private static final int TRIM_BYTES = 1 << 20;

    private final int revisionsMax;
    private final long bytesMax;
    private final PreparedStatement insert;
    private final PreparedStatement findFirstKept;
    private final PreparedStatement findLastDropped;
    private final PreparedStatement forget;
    private final PreparedStatement writeOldest;
    private final Chunk.Builder chunk = new Chunk.Builder();

    /// When it was looked last whether something is to be forgotten.
    private Head trimmed = new Head(0, 0, 0);

    /// Those of the last change noted.
    private long revision;

    private int part;

    ChangeLog(Connection connection, SqliteSettings settings) throws SQLException {
        this.revisionsMax = settings.logRevisionsMax();
        this.bytesMax = settings.logBytesMax();
        this.insert = connection.prepareStatement("INSERT INTO change (id, bytes, oldest, chunk) VALUES (?, ?, ?, ?)");
        this.findFirstKept = connection.prepareStatement("SELECT id FROM change WHERE bytes > ? ORDER BY id LIMIT 1");
        this.findLastDropped =
                connection.prepareStatement("SELECT id FROM change WHERE id < ? ORDER BY id DESC LIMIT 1");
        this.forget =
                connection.prepareStatement("DELETE FROM change WHERE id < ? AND id < (SELECT max(id) FROM change)");
        this.writeOldest =
                connection.prepareStatement("UPDATE change SET oldest = ? WHERE id = (SELECT max(id) FROM change)");
    }

    /// Drops what was noted and not written, as the transaction before came to nothing.
    void clear() {
        chunk.clear();
        revision = 0;
        part = 0;
    }

    /// Notes what a key held before a change. Answers the head with the size of what it wrote.
    Head note(Head head, long changeRevision, byte[] key, DocumentWriter.Found found) throws SQLException {
        if (changeRevision != revision) {
            revision = changeRevision;
            part = 0;
        }
        chunk.add(revision, key, found.revision(), found.value());
        return chunk.size() < CHUNK_BYTES ? head : write(head);
    }

    /// Writes what was noted, and from time to time forgets the oldest changes until the rest is
    /// within its bounds.
    Head finish(Head head) throws SQLException {
        if (chunk.size() == 0) {
            return head;
        }
        long oldest = isTrimDue(head) ? oldestWithinBounds(head) : head.oldest();
        var written = write(new Head(head.newest(), oldest, head.bytes()));
        if (oldest > head.oldest()) {
            dropChunks(oldest);
        }
        return written;
    }

    /// Forgets the changes up to and with this revision, so that no reader can go back further.
    Head forget(Head head, long oldest) throws SQLException {
        if (oldest <= head.oldest()) {
            return head;
        }
        dropChunks(oldest);
        writeOldest.setLong(1, oldest);
        writeOldest.executeUpdate();
        return new Head(head.newest(), oldest, head.bytes());
    }

    private boolean isTrimDue(Head head) {
        boolean due = head.newest() / TRIM_REVISIONS != trimmed.newest() / TRIM_REVISIONS
                || head.bytes() / TRIM_BYTES != trimmed.bytes() / TRIM_BYTES;
        if (due) {
            trimmed = head;
        }
        return due;
    }

    private long oldestWithinBounds(Head head) throws SQLException {
        long byRevisions = head.newest() - revisionsMax;
        long byBytes = lastRevisionBeyond(head.bytes() + chunk.size() - bytesMax);
        return Math.max(head.oldest(), Math.max(byRevisions, byBytes));
    }

    /// The last revision of the chunks that lie wholly before this place of the log, zero if none does.
    private long lastRevisionBeyond(long bytes) throws SQLException {
        findFirstKept.setLong(1, bytes);
        try (var kept = findFirstKept.executeQuery()) {
            findLastDropped.setLong(1, kept.next() ? kept.getLong(1) : Long.MAX_VALUE);
        }
        try (var dropped = findLastDropped.executeQuery()) {
            return dropped.next() ? Schema.lastRevisionOf(dropped.getLong(1)) : 0;
        }
    }

    private void dropChunks(long throughRevision) throws SQLException {
        forget.setLong(1, Schema.chunkId(throughRevision + 1, 0));
        forget.executeUpdate();
    }

    private Head write(Head head) throws SQLException {
        long bytes = head.bytes() + chunk.size();
        insert.setLong(1, Schema.chunkId(revision, part));
        insert.setLong(2, bytes);
        insert.setLong(3, head.oldest());
        insert.setBytes(4, chunk.toByteArray());
        insert.executeUpdate();
        chunk.clear();
        part++;
        return new Head(head.newest(), head.oldest(), bytes);
    }
}
