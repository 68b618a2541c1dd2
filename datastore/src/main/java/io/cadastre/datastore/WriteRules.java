package io.cadastre.datastore;

import java.util.HashSet;
import java.util.List;

/// What every store refuses before it looks at a document, in the same words everywhere.
///
/// A breach is a bug of the caller, so it is an [IllegalArgumentException] that names the thing and
/// the rule, and nothing was read or written.
public final class WriteRules {

    /// Keys are quoted in messages up to this many characters.
    private static final int QUOTED_CHARS_MAX = 64;

    private WriteRules() {}

    public static void checkKey(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a key is empty; a key has at least one byte");
        }
        checkText("key", key);
    }

    public static void checkPrefix(String prefix) {
        checkText("prefix", prefix);
    }

    public static void checkLimit(int limit) {
        if (limit < 1 || limit > Datastore.PAGE_DOCUMENTS_MAX) {
            throw new IllegalArgumentException(
                    "limit %d: a page has from 1 to %d documents".formatted(limit, Datastore.PAGE_DOCUMENTS_MAX));
        }
    }

    public static void checkCursor(Listing.Cursor cursor) {
        checkPrefix(cursor.prefix());
        checkKey(cursor.afterKey());
        checkRevision(cursor.revision());
        if (!cursor.afterKey().startsWith(cursor.prefix())) {
            throw new IllegalArgumentException("a cursor stands at key %s, which is not under its prefix %s"
                    .formatted(quoted(cursor.afterKey()), quoted(cursor.prefix())));
        }
    }

    public static void checkRevision(long revision) {
        if (revision < 0) {
            throw new IllegalArgumentException("revision %d: a revision is not negative".formatted(revision));
        }
    }

    public static void checkWrites(List<Write> writes) {
        if (writes.isEmpty() || writes.size() > Datastore.WRITES_MAX) {
            throw new IllegalArgumentException(
                    "a commit of %d writes: a commit has from 1 to %d".formatted(writes.size(), Datastore.WRITES_MAX));
        }
        var keys = HashSet.<String>newHashSet(writes.size());
        for (var write : writes) {
            checkWrite(write);
            if (!keys.add(write.key())) {
                throw new IllegalArgumentException(
                        "key %s is written twice; a commit names a key once".formatted(quoted(write.key())));
            }
        }
    }

    private static void checkWrite(Write write) {
        checkKey(write.key());
        switch (write) {
            case Write.Create create -> checkValue(create.key(), create.value());
            case Write.Update update -> {
                checkValue(update.key(), update.value());
                checkRevision(update.revision());
            }
            case Write.Delete delete -> checkRevision(delete.revision());
        }
    }

    private static void checkValue(String key, Bytes value) {
        if (value.size() > Datastore.VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("the value of key %s has %d bytes; a value has at most %d"
                    .formatted(quoted(key), value.size(), Datastore.VALUE_BYTES_MAX));
        }
    }

    private static void checkText(String what, String text) {
        int bytes;
        try {
            bytes = Keys.utf8Bytes(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "%s %s %s; a %s is text that UTF-8 can write"
                            .formatted(what, quoted(text), malformed.getMessage(), what),
                    malformed);
        }
        if (bytes > Datastore.KEY_BYTES_MAX) {
            throw new IllegalArgumentException("%s %s has %d bytes; a %s has at most %d"
                    .formatted(what, quoted(text), bytes, what, Datastore.KEY_BYTES_MAX));
        }
    }

    private static String quoted(String text) {
        return text.length() <= QUOTED_CHARS_MAX ? "'" + text + "'" : "'" + text.substring(0, QUOTED_CHARS_MAX) + "…'";
    }
}
