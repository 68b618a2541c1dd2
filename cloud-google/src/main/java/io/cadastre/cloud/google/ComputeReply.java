package io.cadastre.cloud.google;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What a request came to.
sealed interface ComputeReply {

    /// The server did what was asked.
    record Done(ObjectNode body) implements ComputeReply {}

    /// The server answered with an error.
    ///
    /// @param sentence has the status and what the server said
    record Declined(int status, String sentence) implements ComputeReply {}

    /// There is no answer, or none that can be read: what was asked may have been done.
    record Lost(String sentence) implements ComputeReply {}

    /// Nothing was asked, since there is no token to ask with.
    record Unasked(String sentence) implements ComputeReply {}
}
