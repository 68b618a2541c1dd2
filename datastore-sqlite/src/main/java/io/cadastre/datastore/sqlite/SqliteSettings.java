package io.cadastre.datastore.sqlite;

import java.nio.file.Path;
import java.time.Duration;

/// Where an embedded store lies, and its bounds.
///
/// @param file the database; SQLite keeps two more files beside it while it is open
/// @param callLimit how long a call may take
/// @param logRevisionsMax how many revisions are remembered for watches and pages
/// @param logBytesMax how much the remembered revisions may hold
/// @param fileBytesMax how far the database may grow
public record SqliteSettings(Path file, Duration callLimit, int logRevisionsMax, long logBytesMax, long fileBytesMax) {

    private static final Duration CALL_LIMIT = Duration.ofSeconds(10);
    private static final int LOG_REVISIONS_MAX = 100_000;
    private static final long LOG_BYTES_MAX = 64L << 20;
    private static final long FILE_BYTES_MAX = 1L << 40;

    /// Below this not even the schema has room.
    private static final long FILE_BYTES_MIN = 1L << 17;

    public SqliteSettings {
        file = file.toAbsolutePath().normalize();
        checkPositive("call limit", callLimit.toNanos());
        checkPositive("number of remembered revisions", logRevisionsMax);
        checkPositive("size of the remembered revisions", logBytesMax);
        if (fileBytesMax < FILE_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "a file of at most %d bytes is too small; it needs %d".formatted(fileBytesMax, FILE_BYTES_MIN));
        }
    }

    /// A store in this file with the usual bounds.
    public static SqliteSettings of(Path file) {
        return new SqliteSettings(file, CALL_LIMIT, LOG_REVISIONS_MAX, LOG_BYTES_MAX, FILE_BYTES_MAX);
    }

    public SqliteSettings withCallLimit(Duration limit) {
        return new SqliteSettings(file, limit, logRevisionsMax, logBytesMax, fileBytesMax);
    }

    public SqliteSettings withLog(int revisionsMax, long bytesMax) {
        return new SqliteSettings(file, callLimit, revisionsMax, bytesMax, fileBytesMax);
    }

    public SqliteSettings withFileBytesMax(long bytesMax) {
        return new SqliteSettings(file, callLimit, logRevisionsMax, logBytesMax, bytesMax);
    }

    private static void checkPositive(String what, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("the %s is not positive".formatted(what));
        }
    }
}
