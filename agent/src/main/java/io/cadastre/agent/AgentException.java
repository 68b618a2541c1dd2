package io.cadastre.agent;

import org.jspecify.annotations.Nullable;

/// An agent cannot begin.
public final class AgentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    AgentException(String message) {
        this(message, null);
    }

    AgentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
