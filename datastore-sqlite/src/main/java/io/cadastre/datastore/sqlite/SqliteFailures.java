package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/// What SQLite's result codes mean to the callers of a store.
final class SqliteFailures {

    /// The primary result codes of <https://www.sqlite.org/rescode.html>; extended ones have them in
    /// their lowest byte.
    private static final int PERM = 3;

    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READONLY = 8;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int PROTOCOL = 15;
    private static final int NOTADB = 26;

    /// The file that processes share could not grow: there is no room for it.
    private static final int IOERR_SHMSIZE = 10 | 19 << 8;

    private SqliteFailures() {}

    static DatastoreException of(Path file, SQLException failure) {
        var kind = kindOf(failure);
        return new DatastoreException(kind, "%s %s: %s".formatted(file, sentence(kind), failure.getMessage()), failure);
    }

    /// Whether other connections stood in the way, of whatever kind their locks are.
    static boolean isBusy(SQLException failure) {
        return kindOf(failure) == Kind.DEADLINE;
    }

    /// Whether there was no room. SQLite says so when a write was refused, never when a sync failed.
    static boolean isFull(SQLException failure) {
        return kindOf(failure) == Kind.FULL;
    }

    /// Whether the file contradicts itself.
    static boolean isCorrupt(SQLException failure) {
        return kindOf(failure) == Kind.CORRUPT;
    }

    /// Whether another connection holds the lock that was tried, and trying again may do.
    static boolean isLocked(SQLException failure) {
        return failure instanceof SQLiteException known && (known.getResultCode().code & 0xff) == BUSY;
    }

    private static Kind kindOf(SQLException failure) {
        if (!(failure instanceof SQLiteException known)) {
            return Kind.FAILED;
        }
        if (known.getResultCode().code == IOERR_SHMSIZE) {
            return Kind.FULL;
        }
        return switch (known.getResultCode().code & 0xff) {
            case BUSY, LOCKED, PROTOCOL -> Kind.DEADLINE;
            case READONLY -> Kind.READ_ONLY;
            case FULL -> Kind.FULL;
            case CORRUPT -> Kind.CORRUPT;
            case NOTADB -> Kind.FOREIGN;
            case PERM, CANTOPEN -> Kind.UNREACHABLE;
            default -> Kind.FAILED;
        };
    }

    private static String sentence(Kind kind) {
        return switch (kind) {
            case DEADLINE -> "was locked by another process for too long";
            case READ_ONLY -> "cannot be written";
            case FULL -> "has no room left";
            case CORRUPT -> "is damaged";
            case FOREIGN -> "is not an SQLite file";
            case UNREACHABLE -> "cannot be opened";
            case CLOSED, COMPACTED, DENIED, NOT_INSTALLED, FAILED -> "failed";
        };
    }
}
