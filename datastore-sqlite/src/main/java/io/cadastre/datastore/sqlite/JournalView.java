package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Journal.Entry;
import io.cadastre.datastore.Journal.Filed;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One state of a journal's tables: what a transaction that is under way sees of them.
final class JournalView implements Journal.Look {

    static final String ENTRY = "SELECT number, at_second, at_nano, content FROM record";

    /// The widths there are. Each is one look into the index, whereas `DISTINCT` would walk all of it.
    private static final String WIDTHS = "WITH RECURSIVE known(width) AS ("
            + "SELECT min(width) FROM record_span"
            + " UNION ALL SELECT"
            + " (SELECT min(width) FROM record_span WHERE width > known.width)"
            + " FROM known WHERE known.width IS NOT NULL)"
            + " SELECT width FROM known WHERE width IS NOT NULL";

    private final Connection connection;

    private final Finding finding;

    /// @param finding how the records of a query are found
    JournalView(Connection connection, Finding finding) {
        this.connection = connection;
        this.finding = finding;
    }

    /// Finds records from a number on.
    interface Finding {
        List<Entry> find(Query query, long from, int limit) throws SQLException;
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return reading(() -> finding.find(query, from, limit));
    }

    /// What a query throws that a caller's function is in the way of.
    static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final SQLException failure;

        Unreadable(SQLException failure) {
            super(failure);
            this.failure = failure;
        }

        SQLException failure() {
            return failure;
        }
    }

    private interface Reading<T> {
        T rows() throws SQLException;
    }

    private static <T> T reading(Reading<T> reading) {
        try {
            return reading.rows();
        } catch (SQLException failure) {
            throw new Unreadable(failure);
        }
    }

    /// SQLite sorts names and spans by number, outside of memory if they are many; so the three tables
    /// are passed side by side.
    @Override
    public void scan(Consumer<Filed> each) {
        reading(() -> {
            try (var statement = connection.createStatement();
                    var names = connection.createStatement();
                    var spans = connection.createStatement();
                    var entryRows = new Rows(statement.executeQuery(ENTRY + " ORDER BY number"));
                    var nameRows =
                            new Rows(names.executeQuery("SELECT number, name FROM record_name" + " ORDER BY number"));
                    var spanRows = new Rows(spans.executeQuery(
                            "SELECT number, width, first, last" + " FROM record_span" + " ORDER BY number"))) {
                // Ends: each turn passes all rows of the least number.
                while (entryRows.more() || nameRows.more() || spanRows.more()) {
                    long number = Math.min(entryRows.number(), Math.min(nameRows.number(), spanRows.number()));
                    each.accept(filed(number, entryRows, nameRows, spanRows));
                }
                return true;
            }
        });
    }

    private static Filed filed(long number, Rows entryRows, Rows nameRows, Rows spanRows) throws SQLException {
        @Nullable Entry entry = null;
        if (entryRows.at(number)) {
            entry = entry(entryRows.rows());
            entryRows.next();
        }
        var names = new ArrayList<String>();
        while (nameRows.at(number)) {
            names.add(new String(nameRows.rows().getBytes(2), StandardCharsets.UTF_8));
            nameRows.next();
        }
        var spans = new ArrayList<Span>();
        while (spanRows.at(number)) {
            var rows = spanRows.rows();
            var span = new Span(Bytes.of(rows.getBytes(3)), Bytes.of(rows.getBytes(4)));
            // A span under another width is found by no query.
            if (SpanWidth.of(span) == rows.getInt(2)) {
                spans.add(span);
            }
            spanRows.next();
        }
        return new Filed(number, entry, names, spans);
    }

    /// Rows in the order of their first column, which is a number.
    private static final class Rows implements AutoCloseable {

        private final ResultSet rows;
        private boolean more;
        private long number;

        Rows(ResultSet rows) throws SQLException {
            this.rows = rows;
            next();
        }

        void next() throws SQLException {
            more = rows.next();
            number = more ? rows.getLong(1) : Long.MAX_VALUE;
        }

        boolean more() {
            return more;
        }

        long number() {
            return number;
        }

        boolean at(long wanted) {
            return more && number == wanted;
        }

        ResultSet rows() {
            return rows;
        }

        @Override
        public void close() throws SQLException {
            rows.close();
        }
    }

    @Override
    public List<Entry> findBack(Query query, long to, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(to, limit);
        return reading(() -> switch (query) {
            case Query.Named(var name) -> namedBack(name, to, limit);
            case Query.Between(var from, var until) -> betweenBack(from, until, to, limit);
            case Query.Spanning(var span) -> spanningBack(span, to, limit);
            case Query.Overlapping(var span) -> overlappingBack(span, to, limit);
        });
    }

    private List<Entry> namedBack(String name, long to, int limit) throws SQLException {
        try (var query = connection.prepareStatement(ENTRY
                + " JOIN record_name USING (number) WHERE name = ?"
                + " AND number <= ? ORDER BY number DESC LIMIT ?")) {
            query.setBytes(1, name.getBytes(StandardCharsets.UTF_8));
            query.setLong(2, to);
            query.setInt(3, limit);
            return entries(query);
        }
    }

    private List<Entry> betweenBack(Instant from, Instant until, long to, int limit) throws SQLException {
        try (var query = connection.prepareStatement(ENTRY
                + " WHERE (at_second, at_nano) >= (?, ?)"
                + " AND (at_second, at_nano) < (?, ?)"
                + " AND number <= ? ORDER BY number DESC LIMIT ?")) {
            query.setLong(1, from.getEpochSecond());
            query.setInt(2, from.getNano());
            query.setLong(3, until.getEpochSecond());
            query.setInt(4, until.getNano());
            query.setLong(5, to);
            query.setInt(6, limit);
            return entries(query);
        }
    }

    /// The numbers are taken from the index first: joined with the records, SQLite may read all records of
    /// the span and sort them.
    private List<Entry> spanningBack(Span span, long to, int limit) throws SQLException {
        try (var query = connection.prepareStatement(ENTRY
                + " WHERE number IN (SELECT number FROM record_span"
                + " WHERE width = ? AND first = ? AND last = ? AND number <= ?"
                + " ORDER BY number DESC LIMIT ?) ORDER BY number DESC")) {
            query.setInt(1, SpanWidth.of(span));
            query.setBytes(2, span.first().toByteArray());
            query.setBytes(3, span.last().toByteArray());
            query.setLong(4, to);
            query.setInt(5, limit);
            return entries(query);
        }
    }

    private List<Entry> overlappingBack(Span span, long to, int limit) throws SQLException {
        var found = new ArrayList<Entry>();
        for (var one : spansOverlapping(span)) {
            found.addAll(spanningBack(one, to, limit));
        }
        return found.stream()
                .distinct()
                .sorted((one, other) -> Long.compare(other.number(), one.number()))
                .limit(limit)
                .toList();
    }

    /// Steps from one span to the next in the index, so its cost does not depend on how many records
    /// have the same span. Each step is one of two questions: of a comparison of pairs SQLite seeks
    /// only the first halves, and reads all that are equal.
    @Override
    public List<Span> spansOverlapping(Span span) {
        JournalRules.checkQuery(new Query.Overlapping(span));
        return reading(() -> {
            var found = new ArrayList<Span>();
            try (var longer = connection.prepareStatement("SELECT first, last FROM record_span WHERE width = ?"
                            + " AND first = ? AND last > ?"
                            + " ORDER BY last LIMIT 1");
                    var later = connection.prepareStatement("SELECT first, last FROM record_span WHERE width = ?"
                            + " AND first > ? AND first <= ?"
                            + " ORDER BY first, last LIMIT 1")) {
                for (int width : widths()) {
                    addOverlapping(span, width, new Steps(longer, later), found);
                }
            }
            return List.copyOf(found);
        });
    }

    /// What comes after a span: one that begins with it and ends later, or one that begins later.
    private record Steps(PreparedStatement longer, PreparedStatement later) {

        Optional<Span> next(byte[] first, byte[] last, int width, byte[] until) throws SQLException {
            var next = step(longer, width, first, last);
            return next.isPresent() ? next : step(later, width, first, until);
        }

        private static Optional<Span> step(PreparedStatement query, int width, byte[] one, byte[] other)
                throws SQLException {
            query.setInt(1, width);
            query.setBytes(2, one);
            query.setBytes(3, other);
            try (var rows = query.executeQuery()) {
                return rows.next()
                        ? Optional.of(new Span(Bytes.of(rows.getBytes(1)), Bytes.of(rows.getBytes(2))))
                        : Optional.empty();
            }
        }
    }

    private static void addOverlapping(Span span, int width, Steps steps, List<Span> found) throws SQLException {
        var until = span.last().toByteArray();
        // No blob is less than the empty one.
        var next = steps.next(SpanWidth.before(span.first(), width), new byte[0], width, until);
        // Ends: each step goes on after the span before it.
        while (next.isPresent()) {
            var one = next.get();
            if (one.last().compareTo(span.first()) >= 0) {
                found.add(one);
            }
            next = steps.next(one.first().toByteArray(), one.last().toByteArray(), width, until);
        }
    }

    List<Integer> widths() throws SQLException {
        var widths = new ArrayList<Integer>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(WIDTHS)) {
            while (rows.next()) {
                widths.add(rows.getInt(1));
            }
        }
        return widths;
    }

    @Override
    public long lastNumber() {
        return reading(() -> {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery("SELECT max(number) FROM record")) {
                return rows.getLong(1);
            }
        });
    }

    @Override
    public long lastUntil(Instant at) {
        return reading(() -> {
            try (var query = connection.prepareStatement("SELECT number FROM record"
                    + " WHERE (at_second, at_nano) <= (?, ?)"
                    + " ORDER BY at_second DESC, at_nano DESC, number DESC"
                    + " LIMIT 1")) {
                query.setLong(1, at.getEpochSecond());
                query.setInt(2, at.getNano());
                try (var rows = query.executeQuery()) {
                    return rows.next() ? rows.getLong(1) : 0L;
                }
            }
        });
    }

    static List<Entry> entries(PreparedStatement query) throws SQLException {
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
                rows.getLong(1), Instant.ofEpochSecond(rows.getLong(2), rows.getLong(3)), Bytes.of(rows.getBytes(4)));
    }
}
