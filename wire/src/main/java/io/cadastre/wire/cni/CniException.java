package io.cadastre.wire.cni;

import org.jspecify.annotations.Nullable;

/// A call of a plugin fails with this error.
public final class CniException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient CniError error;

    public CniException(CniError error) {
        this(error, null);
    }

    public CniException(CniError error, @Nullable Throwable cause) {
        super(error.sentence(), cause);
        this.error = error;
    }

    public CniException(CniCode code, String msg) {
        this(CniError.of(code, msg));
    }

    public CniException(CniCode code, String msg, String details) {
        this(CniError.of(code, msg, details));
    }

    public CniError error() {
        return error;
    }

    /// The same failure with words before its own, and with itself as the cause.
    public CniException prefixed(String words) {
        return new CniException(new CniError(error.code(), words + error.msg(), error.details()), this);
    }

    /// The same failure under another code, with words before its own.
    CniException as(CniCode code, String prefix) {
        return new CniException(CniError.of(code, prefix + error.msg(), error.details()), this);
    }
}
