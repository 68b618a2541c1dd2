package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal.Draft;
import io.cadastre.datastore.Journal.Entry;
import io.cadastre.datastore.Journal.Query;
import io.cadastre.datastore.Journal.Span;
import io.cadastre.datastore.JournalRules;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The connection to the tables of a journal. For one thread at a time.
///
/// It waits for no other connection. After a failure other than [Failures#isLocked(SQLException)] it has
/// to be closed, which gives up what was not committed: the driver does away
/// with a statement that failed.
final class JournalTables implements AutoCloseable {

    private static final String ENTRY = "SELECT number, at_second, at_nano, content FROM record";

    /// The widths there are. Each is one look into the index, whereas `DISTINCT` would walk all of it.
    private static final String WIDTHS =
            "WITH RECURSIVE known(width) AS ("
                    + "SELECT min(width) FROM record_span"
                    + " UNION ALL SELECT"
                    + " (SELECT min(width) FROM record_span WHERE width > known.width)"
                    + " FROM known WHERE known.width IS NOT NULL)"
                    + " SELECT width FROM known WHERE width IS NOT NULL";

    private final Connection connection;
    private final Standing standing;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement last;
    private final PreparedStatement insert;
    private final PreparedStatement insertName;
    private final PreparedStatement insertSpan;
    private final PreparedStatement spanBytes;
    private final PreparedStatement read;
    private final PreparedStatement findNamed;
    private final PreparedStatement findBetween;
    private final PreparedStatement widths;

    JournalTables(DatabaseFile file, Standing standing) throws SQLException {
        this.connection = file.connectToWrite();
        this.standing = standing;
        this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
        this.commit = connection.prepareStatement("COMMIT");
        this.last = connection.prepareStatement(ENTRY + " ORDER BY number DESC LIMIT 1");
        this.insert =
                connection.prepareStatement(
                        "INSERT INTO record (number, at_second, at_nano, content)"
                                + " VALUES (?, ?, ?, ?)");
        this.insertName =
                connection.prepareStatement(
                        "INSERT OR IGNORE INTO record_name (name, number) VALUES (?, ?)");
        this.insertSpan =
                connection.prepareStatement(
                        "INSERT OR IGNORE INTO record_span (width, first, last, number)"
                                + " VALUES (?, ?, ?, ?)");
        this.spanBytes =
                connection.prepareStatement("SELECT length(first) FROM record_span LIMIT 1");
        this.read =
                connection.prepareStatement(ENTRY + " WHERE number >= ? ORDER BY number LIMIT ?");
        this.findNamed =
                connection.prepareStatement(
                        ENTRY
                                + " JOIN record_name USING (number)"
                                + " WHERE name = ? AND number >= ? ORDER BY number LIMIT ?");
        this.findBetween =
                connection.prepareStatement(
                        ENTRY
                                + " WHERE (at_second, at_nano) >= (?, ?)"
                                + " AND (at_second, at_nano) < (?, ?)"
                                + " AND number >= ? ORDER BY number LIMIT ?");
        this.widths = connection.prepareStatement(WIDTHS);
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
        }
    }

    /// Begins an append.
    void begin() throws SQLException {
        begin.execute();
    }

    /// Ends what [#begin()] began.
    void append(Function<Optional<Entry>, List<Draft>> next) throws SQLException {
        insertAll(next);
        commit();
    }

    List<Entry> read(long from, int limit) throws SQLException {
        read.setLong(1, from);
        read.setInt(2, limit);
        return entries(read);
    }

    List<Entry> find(Query query, long from, int limit) throws SQLException {
        return switch (query) {
            case Query.Named(var name) -> findNamed(name, from, limit);
            case Query.Between(var begins, var ends) -> findBetween(begins, ends, from, limit);
            case Query.Overlapping(var span) -> findOverlapping(span, from, limit);
        };
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private List<Entry> findNamed(String name, long from, int limit) throws SQLException {
        findNamed.setBytes(1, name.getBytes(StandardCharsets.UTF_8));
        findNamed.setLong(2, from);
        findNamed.setInt(3, limit);
        return entries(findNamed);
    }

    private List<Entry> findBetween(Instant begins, Instant ends, long from, int limit)
            throws SQLException {
        findBetween.setLong(1, begins.getEpochSecond());
        findBetween.setInt(2, begins.getNano());
        findBetween.setLong(3, ends.getEpochSecond());
        findBetween.setInt(4, ends.getNano());
        findBetween.setLong(5, from);
        findBetween.setInt(6, limit);
        return entries(findBetween);
    }

    /// Spans of one width that overlap the given one begin neither after its end nor further before it
    /// than they are long; so each width needs one narrow look into the index.
    private List<Entry> findOverlapping(Span span, long from, int limit) throws SQLException {
        var looks = new ArrayList<Integer>();
        try (var rows = widths.executeQuery()) {
            while (rows.next()) {
                looks.add(rows.getInt(1));
            }
        }
        if (looks.isEmpty()) {
            return List.of();
        }
        var numbers =
                String.join(
                        " UNION ",
                        looks.stream()
                                .map(
                                        _ ->
                                                "SELECT number FROM record_span WHERE width = ?"
                                                        + " AND first >= ? AND first <= ?"
                                                        + " AND last >= ? AND number >= ?")
                                .toList());
        try (var query =
                connection.prepareStatement(
                        ENTRY + " WHERE number IN (" + numbers + ") ORDER BY number LIMIT ?")) {
            int parameter = 1;
            for (int width : looks) {
                query.setInt(parameter++, width);
                query.setBytes(parameter++, SpanWidth.before(span.first(), width));
                query.setBytes(parameter++, span.last().toByteArray());
                query.setBytes(parameter++, span.first().toByteArray());
                query.setLong(parameter++, from);
            }
            query.setInt(parameter, limit);
            return entries(query);
        }
    }

    private void insertAll(Function<Optional<Entry>, List<Draft>> next) throws SQLException {
        var before = entries(last);
        long number = before.isEmpty() ? 0 : before.getFirst().number();
        var drafts = List.copyOf(next.apply(before.stream().findFirst()));
        JournalRules.checkDrafts(drafts);
        checkSpanSizes(drafts);
        for (var draft : drafts) {
            number++;
            insert(number, draft);
        }
    }

    /// A commit that fails other than for want of room may be on the disk or not, and nothing that is
    /// done after it can be trusted.
    private void commit() throws SQLException {
        try {
            commit.execute();
        } catch (SQLException failure) {
            if (!Failures.isFull(failure)) {
                standing.fail("an append failed: " + failure.getMessage(), failure);
            }
            throw failure;
        }
    }

    private void insert(long number, Draft draft) throws SQLException {
        insert.setLong(1, number);
        var at = draft.at();
        insert.setLong(2, at.getEpochSecond());
        insert.setInt(3, at.getNano());
        insert.setBytes(4, draft.content().toByteArray());
        insert.executeUpdate();
        for (var name : draft.names()) {
            insertName.setBytes(1, name.getBytes(StandardCharsets.UTF_8));
            insertName.setLong(2, number);
            insertName.executeUpdate();
        }
        for (var span : draft.spans()) {
            insertSpan.setInt(1, SpanWidth.of(span));
            insertSpan.setBytes(2, span.first().toByteArray());
            insertSpan.setBytes(3, span.last().toByteArray());
            insertSpan.setLong(4, number);
            insertSpan.executeUpdate();
        }
    }

    /// The first span ever appended sets the size of all.
    private void checkSpanSizes(List<Draft> drafts) throws SQLException {
        var spans = drafts.stream().flatMap(draft -> draft.spans().stream()).toList();
        if (spans.isEmpty()) {
            return;
        }
        int bytes;
        try (var rows = spanBytes.executeQuery()) {
            bytes = rows.next() ? rows.getInt(1) : spans.getFirst().first().size();
        }
        spans.forEach(span -> JournalRules.checkSpanSize(span, bytes));
    }

    private static List<Entry> entries(PreparedStatement query) throws SQLException {
        var entries = new ArrayList<Entry>();
        try (var rows = query.executeQuery()) {
            while (rows.next()) {
                entries.add(entry(rows));
            }
        }
        return List.copyOf(entries);
    }

    private static Entry entry(ResultSet rows) throws SQLException {
        return new Entry(
                rows.getLong(1),
                Instant.ofEpochSecond(rows.getLong(2), rows.getLong(3)),
                Bytes.of(rows.getBytes(4)));
    }
}
