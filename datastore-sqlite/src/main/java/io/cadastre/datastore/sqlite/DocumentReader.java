package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// A connection that reads documents, now and as they were. For one thread at a time.
///
/// Whatever takes several statements is read in one transaction, so that all of it is of one revision.
/// After a failure it has to be closed, which ends the transaction.
final class DocumentReader implements AutoCloseable {

    private interface Work<T> {
        T run() throws SQLException;
    }

    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement end;
    private final PreparedStatement readHead;
    private final PreparedStatement find;
    private final PreparedStatement list;
    private final LogReader past;

    DocumentReader(DatabaseFile file) throws SQLException {
        this.connection = file.connectToRead();
        this.begin = connection.prepareStatement("BEGIN");
        this.end = connection.prepareStatement("COMMIT");
        this.readHead = connection.prepareStatement(Head.QUERY);
        this.find = connection.prepareStatement("SELECT revision, value FROM document WHERE key = ?");
        this.list = connection.prepareStatement(
                "SELECT key, revision, value FROM document" + " WHERE key >= ? AND key < ? ORDER BY key");
        this.past = new LogReader(connection);
    }

    Optional<Document> find(Bytes key) throws SQLException {
        find.setBytes(1, key.toByteArray());
        try (var rows = find.executeQuery()) {
            return rows.next()
                    ? Optional.of(new Document(key.utf8(), Bytes.of(rows.getBytes(2)), rows.getLong(1)))
                    : Optional.empty();
        }
    }

    Map<String, Document> findAll(List<Bytes> keys) throws SQLException {
        return inTransaction(() -> {
            var found = new LinkedHashMap<String, Document>();
            for (var key : keys) {
                find(key).ifPresent(document -> found.put(document.key(), document));
            }
            return found;
        });
    }

    Listing list(String prefix, int limit) throws SQLException {
        return inTransaction(() -> {
            var page = new PageDraft(prefix, Head.read(readHead).newest(), limit);
            fill(page, KeyRange.of(prefix), new TreeMap<>());
            return page.listing();
        });
    }

    Listing list(Listing.Cursor cursor, int limit) throws SQLException {
        return inTransaction(() -> {
            check(cursor.revision(), Head.read(readHead));
            var range = KeyRange.after(cursor.prefix(), cursor.afterKey());
            var page = new PageDraft(cursor.prefix(), cursor.revision(), limit);
            fill(page, range, past.at(cursor.revision(), range));
            return page.listing();
        });
    }

    WatchChanges changes(String prefix, long after) throws SQLException {
        return inTransaction(() -> {
            var head = Head.read(readHead);
            if (after < head.oldest()) {
                return new WatchChanges.Forgotten(head.oldest());
            }
            var gathering = new ChangeBatch(after);
            past.gather(after, KeyRange.of(prefix), gathering);
            for (var key : gathering.awaited()) {
                find(key).ifPresent(document -> gathering.wasPut(key, document.value(), document.revision()));
            }
            return new WatchChanges.Changes(gathering.notices(), gathering.through(head.newest()));
        });
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw new DatastoreException(Kind.FAILED, "a reading connection could not be closed", failure);
        }
    }

    private static void check(long revision, Head head) {
        if (revision < head.oldest()) {
            throw new CompactedException(revision, head.oldest());
        }
        if (revision > head.newest()) {
            throw new IllegalArgumentException(
                    "revision %d has not happened; the newest is %d".formatted(revision, head.newest()));
        }
    }

    /// Fills a page with the documents of today, those in `befores` as they were.
    private void fill(PageDraft page, KeyRange range, NavigableMap<Bytes, Chunk.Before> befores) throws SQLException {
        list.setBytes(1, range.first());
        list.setBytes(2, range.end());
        try (var rows = list.executeQuery()) {
            while (rows.next() && !page.isDone()) {
                var key = Bytes.of(rows.getBytes(1));
                boolean changedSince = befores.containsKey(key);
                offer(page, befores.headMap(key, true));
                if (!changedSince) {
                    page.offer(new Document(key.utf8(), Bytes.of(rows.getBytes(3)), rows.getLong(2)));
                }
            }
        }
        offer(page, befores);
    }

    /// Offers what was there and takes it from the map.
    private static void offer(PageDraft page, NavigableMap<Bytes, Chunk.Before> befores) {
        while (!befores.isEmpty() && !page.isDone()) {
            var before = befores.pollFirstEntry().getValue();
            if (!before.isAbsent()) {
                page.offer(new Document(before.key().utf8(), before.value(), before.revision()));
            }
        }
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        begin.execute();
        var answer = work.run();
        end.execute();
        return answer;
    }
}
