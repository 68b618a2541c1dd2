package io.cadastre.datastore;

import org.jspecify.annotations.Nullable;

/// A store could not do what it was asked for a reason its caller cannot answer.
public class DatastoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Kind kind;

    public DatastoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public DatastoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /// Why.
    public enum Kind {
        /// No server answers, or no permission to reach it.
        UNREACHABLE,
        /// The call took longer than it may.
        DEADLINE,
        /// The store was closed.
        CLOSED,
        /// The store can be read and not written.
        READ_ONLY,
        /// There is no room left.
        FULL,
        /// The file or an answer is damaged.
        CORRUPT,
        /// The file is not one of ours, or of a newer schema.
        FOREIGN,
        /// The store forgot the revision asked for.
        COMPACTED,
        /// Credentials were refused or do not grant a right.
        DENIED,
        /// The server lacks the kind of object, such as a custom resource that is not installed.
        NOT_INSTALLED,
        /// Anything else the store said.
        FAILED
    }
}
