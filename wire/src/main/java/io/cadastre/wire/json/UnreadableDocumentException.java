package io.cadastre.wire.json;

import org.jspecify.annotations.Nullable;

/// A stored document is not what its key promises.
public final class UnreadableDocumentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String fault;

    public UnreadableDocumentException(String key, String fault) {
        this(key, fault, null);
    }

    public UnreadableDocumentException(String key, String fault, @Nullable Throwable cause) {
        super("cannot read %s: %s".formatted(key, fault), cause);
        this.fault = fault;
    }

    /// Why, without the key.
    public String fault() {
        return fault;
    }
}
