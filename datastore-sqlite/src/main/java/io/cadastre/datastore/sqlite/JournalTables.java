package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Journal.Draft;
import io.cadastre.datastore.Journal.Entry;
import io.cadastre.datastore.Journal.Query;
import io.cadastre.datastore.Journal.Span;
import io.cadastre.datastore.JournalRules;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The connection to the tables of a journal. For one thread at a time.
///
/// It waits for no other connection. After a failure other than [SqliteFailures#isLocked(SQLException)] it has
/// to be closed, which gives up what was not committed: the driver does away
/// with a statement that failed.
final class JournalTables implements AutoCloseable {

    private final Connection connection;
    private final StoreState standing;
    private final DatabaseFile file;

    /// Absent until something is written.
    private @Nullable MarkedTransaction transaction;

    private final RecordWriter records;
    private final PreparedStatement read;
    private final PreparedStatement findNamed;
    private final PreparedStatement findBetween;
    private final PreparedStatement findSpanning;

    JournalTables(DatabaseFile file, StoreState standing) throws SQLException {
        this.file = file;
        this.connection = file.isReadOnly() ? file.connectToRead() : file.connectToWrite();
        this.standing = standing;
        this.records = new RecordWriter(connection);
        this.read = connection.prepareStatement(JournalView.ENTRY + " WHERE number >= ? ORDER BY number LIMIT ?");
        this.findNamed = connection.prepareStatement(JournalView.ENTRY
                + " JOIN record_name USING (number)"
                + " WHERE name = ? AND number >= ? ORDER BY number LIMIT ?");
        this.findBetween = connection.prepareStatement(JournalView.ENTRY
                + " WHERE (at_second, at_nano) >= (?, ?)"
                + " AND (at_second, at_nano) < (?, ?)"
                + " AND number >= ? ORDER BY number LIMIT ?");
        this.findSpanning = connection.prepareStatement(JournalView.ENTRY
                + " WHERE number IN (SELECT number FROM record_span"
                + " WHERE width = ? AND first = ? AND last = ? AND number >= ?"
                + " ORDER BY number LIMIT ?) ORDER BY number");
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
        }
    }

    /// Begins an append.
    void begin() throws SQLException {
        writing().begin();
    }

    /// Ends what [#begin()] began.
    void append(Function<Optional<Entry>, List<Draft>> next) throws SQLException {
        records.append(next.apply(records.last()));
        writing().finish();
        commit();
    }

    private MarkedTransaction writing() throws SQLException {
        file.requireWritable();
        var present = transaction;
        if (present == null) {
            present = new MarkedTransaction(file, standing, connection);
            transaction = present;
        }
        return present;
    }

    List<Entry> read(long from, int limit) throws SQLException {
        read.setLong(1, from);
        read.setInt(2, limit);
        return JournalView.entries(read);
    }

    List<Entry> find(Query query, long from, int limit) throws SQLException {
        return switch (query) {
            case Query.Named(var name) -> findNamed(name, from, limit);
            case Query.Between(var begins, var ends) -> findBetween(begins, ends, from, limit);
            case Query.Spanning(var span) -> findSpanning(span, from, limit);
            case Query.Overlapping(var span) -> findOverlapping(span, from, limit);
        };
    }

    /// Looks at one state. The transaction ends with the work, or with the connection.
    <T> T look(Function<Journal.Look, T> work) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("BEGIN");
            T found = work.apply(new JournalView(connection, this::find));
            statement.execute("COMMIT");
            return found;
        } catch (JournalView.Unreadable unreadable) {
            throw unreadable.failure();
        }
    }

    /// Ends what [#begin()] began.
    void cut(Function<Journal.Look, Optional<Journal.Cut>> work) throws SQLException {
        try {
            var cut = work.apply(new JournalView(connection, this::find));
            if (cut.isPresent()) {
                writing().loosen();
                cut(cut.get());
            }
        } catch (JournalView.Unreadable unreadable) {
            throw unreadable.failure();
        }
        writing().finish();
        commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private List<Entry> findNamed(String name, long from, int limit) throws SQLException {
        findNamed.setBytes(1, name.getBytes(StandardCharsets.UTF_8));
        findNamed.setLong(2, from);
        findNamed.setInt(3, limit);
        return JournalView.entries(findNamed);
    }

    private List<Entry> findBetween(Instant begins, Instant ends, long from, int limit) throws SQLException {
        findBetween.setLong(1, begins.getEpochSecond());
        findBetween.setInt(2, begins.getNano());
        findBetween.setLong(3, ends.getEpochSecond());
        findBetween.setInt(4, ends.getNano());
        findBetween.setLong(5, from);
        findBetween.setInt(6, limit);
        return JournalView.entries(findBetween);
    }

    private List<Entry> findSpanning(Span span, long from, int limit) throws SQLException {
        findSpanning.setInt(1, SpanWidth.of(span));
        findSpanning.setBytes(2, span.first().toByteArray());
        findSpanning.setBytes(3, span.last().toByteArray());
        findSpanning.setLong(4, from);
        findSpanning.setInt(5, limit);
        return JournalView.entries(findSpanning);
    }

    /// Spans of one width that overlap the given one begin neither after its end nor further before it
    /// than they are long; so each width needs one narrow look into the index.
    private List<Entry> findOverlapping(Span span, long from, int limit) throws SQLException {
        var looks = new JournalView(connection, this::find).widths();
        if (looks.isEmpty()) {
            return List.of();
        }
        var numbers = String.join(
                " UNION ",
                looks.stream()
                        .map(_ -> "SELECT number FROM record_span WHERE width = ?"
                                + " AND first >= ? AND first <= ?"
                                + " AND last >= ? AND number >= ?")
                        .toList());
        try (var query = connection.prepareStatement(
                JournalView.ENTRY + " WHERE number IN (" + numbers + ") ORDER BY number LIMIT ?")) {
            int parameter = 1;
            for (int width : looks) {
                query.setInt(parameter++, width);
                query.setBytes(parameter++, SpanWidth.before(span.first(), width));
                query.setBytes(parameter++, span.last().toByteArray());
                query.setBytes(parameter++, span.first().toByteArray());
                query.setLong(parameter++, from);
            }
            query.setInt(parameter, limit);
            return JournalView.entries(query);
        }
    }

    private void cut(Journal.Cut cut) throws SQLException {
        long first;
        long last;
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT min(number), max(number) FROM record")) {
            first = Math.max(1, rows.getLong(1));
            last = rows.getLong(2);
        }
        JournalRules.checkCut(cut, first, last);
        records.checkSpanSizes(cut.instead());
        records.checkSpanSizes(cut.appended());
        for (var table : List.of("record", "record_name", "record_span")) {
            try (var delete = connection.prepareStatement("DELETE FROM %s WHERE number <= ?".formatted(table))) {
                delete.setLong(1, cut.last());
                delete.executeUpdate();
            }
        }
        records.insertFrom(cut.last() - cut.instead().size() + 1, cut.instead());
        records.insertFrom(last + 1, cut.appended());
    }

    /// A commit that fails other than for want of room may be on the disk or not, and nothing that is
    /// done after it can be trusted.
    private void commit() throws SQLException {
        try {
            writing().commit();
        } catch (SQLException failure) {
            if (!SqliteFailures.isFull(failure)) {
                standing.fail("an append failed: " + failure.getMessage(), failure);
            }
            throw failure;
        }
    }
}
