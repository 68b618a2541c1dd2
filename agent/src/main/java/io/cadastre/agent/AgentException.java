package io.cadastre.agent;

import org.jspecify.annotations.Nullable;

/// An agent cannot begin.
public final class AgentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public AgentException(String message) {
        this(message, null);
    }

    public AgentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
