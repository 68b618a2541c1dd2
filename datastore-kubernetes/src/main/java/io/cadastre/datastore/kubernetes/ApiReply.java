package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import java.time.Duration;

/// How one sending of a request ended.
sealed interface ApiReply {

    /// The server has answered.
    ///
    /// @param retryAfter how long the server asks to be left alone; zero where it does not say
    record Answered(int code, Bytes body, Duration retryAfter) implements ApiReply {

        boolean good() {
            return code >= 200 && code < 300;
        }
    }

    /// The server certainly has not seen it.
    record Unsent(Cause cause, String sentence) implements ApiReply {}

    /// The server may have acted on it, or may yet.
    record Lost(Cause cause, String sentence) implements ApiReply {}

    /// Why there is no answer.
    enum Cause {
        TIME,
        CONNECTION,
        SIZE
    }
}
