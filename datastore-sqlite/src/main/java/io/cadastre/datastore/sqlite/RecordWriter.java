package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Journal.Draft;
import io.cadastre.datastore.Journal.Entry;
import io.cadastre.datastore.JournalRules;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// The end of a journal, inside the transaction that writes it. For one thread at a time.
final class RecordWriter {

    private final PreparedStatement last;
    private final PreparedStatement insert;
    private final PreparedStatement insertName;
    private final PreparedStatement insertSpan;
    private final PreparedStatement spanBytes;

    RecordWriter(Connection connection) throws SQLException {
        this.last = connection.prepareStatement(JournalView.ENTRY + " ORDER BY number DESC LIMIT 1");
        this.insert = connection.prepareStatement(
                "INSERT INTO record (number, at_second, at_nano, content)" + " VALUES (?, ?, ?, ?)");
        this.insertName = connection.prepareStatement("INSERT OR IGNORE INTO record_name (name, number) VALUES (?, ?)");
        this.insertSpan = connection.prepareStatement(
                "INSERT OR IGNORE INTO record_span (width, first, last, number)" + " VALUES (?, ?, ?, ?)");
        this.spanBytes = connection.prepareStatement("SELECT length(first) FROM record_span LIMIT 1");
    }

    /// The last record, if there is any.
    Optional<Entry> last() throws SQLException {
        return JournalView.entries(last).stream().findFirst();
    }

    void append(List<Draft> drafts) throws SQLException {
        check(drafts);
        insertFrom(last().map(Entry::number).orElse(0L) + 1, drafts);
    }

    void insertFrom(long from, List<Draft> drafts) throws SQLException {
        long number = from;
        for (var draft : drafts) {
            insert(number, draft);
            number++;
        }
    }

    /// @throws IllegalArgumentException if the journal cannot take them
    void check(List<Draft> drafts) throws SQLException {
        JournalRules.checkDrafts(drafts);
        checkSpanSizes(drafts);
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
    void checkSpanSizes(List<Draft> drafts) throws SQLException {
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
}
