package io.cadastre.wire.calico;

import io.cadastre.datastore.Bytes;

/// A stored document is not what its key promises, in Calico's words.
public final class UnparsableEntryException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /// A value that is longer than this is quoted in part.
    private static final int VALUE_CHARACTERS_MAX = 4096;

    UnparsableEntryException(String key, Bytes value, String fault, Throwable cause) {
        super(
                "failed to parse datastore entry key=%s; value=%s: %s".formatted(key, shortened(value.utf8()), fault),
                cause);
    }

    private static String shortened(String text) {
        return text.length() <= VALUE_CHARACTERS_MAX ? text : text.substring(0, VALUE_CHARACTERS_MAX) + "…";
    }
}
