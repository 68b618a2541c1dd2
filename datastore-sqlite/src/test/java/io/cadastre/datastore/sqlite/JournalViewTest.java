package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sqlite.ProgressHandler;

class JournalViewTest {

    private static final int RECORDS = 20_000;

    /// Far more than a few looks into an index take, and far less than reading all records of a span.
    private static final int INSTRUCTIONS_MAX = 2_000;

    private static Bytes place(int number) {
        return Bytes.of(new byte[] {4, (byte) (number >> 8), (byte) number});
    }

    private static Connection busy() throws SQLException {
        var connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Schema.create(connection);
        try (var insert =
                connection.prepareStatement("WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n"
                        + " WHERE number < ?) INSERT INTO record_span SELECT ?, ?, ?,"
                        + " number FROM n")) {
            insert.setInt(1, RECORDS);
            insert.setInt(2, SpanWidth.of(new Journal.Span(place(7), place(7))));
            insert.setBytes(3, place(7).toByteArray());
            insert.setBytes(4, place(7).toByteArray());
            insert.executeUpdate();
        }
        return connection;
    }

    @Test
    void findingSpansTakesAsLongForOneThatManyRecordsHave() throws SQLException {
        var busy = new Journal.Span(place(7), place(7));
        var hundreds = new AtomicInteger();
        try (var connection = busy()) {
            var look = new JournalView(connection, (_, _, _) -> List.of());
            ProgressHandler.setHandler(connection, 100, new ProgressHandler() {
                @Override
                protected int progress() {
                    hundreds.incrementAndGet();
                    return 0;
                }
            });

            var spans = look.spansOverlapping(busy);

            assertThat(spans).containsExactly(busy);
            assertThat(100 * hundreds.get()).isLessThan(INSTRUCTIONS_MAX);
        }
    }
}
