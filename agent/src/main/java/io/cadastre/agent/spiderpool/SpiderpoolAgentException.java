package io.cadastre.agent.spiderpool;

import org.jspecify.annotations.Nullable;

/// An agent did not do what it was asked. Its message is in the agent's own words where it has any.
public final class SpiderpoolAgentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /// Why it did not.
    public enum Reason {
        /// No agent listens, or the connection broke before there was a whole answer.
        UNREACHABLE,
        /// It says that it cannot be asked now.
        UNHEALTHY,
        /// It says no, and why.
        REFUSED,
        /// It is set not to take addresses back from stateless pods by force.
        STATELESS_RELEASE_FORBIDDEN,
        /// It does not take addresses back from stateful pods by force.
        STATEFUL_RELEASE_FORBIDDEN,
        /// It says something that makes no sense.
        UNREADABLE
    }

    private final Reason reason;

    public SpiderpoolAgentException(Reason reason, String message) {
        this(reason, message, null);
    }

    public SpiderpoolAgentException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /// What it said, or what is wrong.
    public String words() {
        return String.valueOf(getMessage());
    }
}
