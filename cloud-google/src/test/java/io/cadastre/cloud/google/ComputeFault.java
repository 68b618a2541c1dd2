package io.cadastre.cloud.google;

/// What goes wrong with one request to [LocalCompute].
sealed interface ComputeFault {

    /// It is answered with an error, and nothing is done.
    record Status(int status, String message) implements ComputeFault {}

    /// It is answered with this body, and nothing is done.
    record Body(String text) implements ComputeFault {}

    /// It is not answered in time, and nothing is done.
    record Silence() implements ComputeFault {}

    /// The answer begins in time and does not end, and nothing is done.
    record HalfAnswer() implements ComputeFault {}

    /// It is done, and the connection ends without an answer.
    record LostAnswer() implements ComputeFault {}

    /// The network interface changes before it is done.
    ///
    /// @param range that it gets; empty if it gets none
    record Rival(String range) implements ComputeFault {

        Rival() {
            this("");
        }
    }

    /// It begins an operation that fails.
    record FailingOperation(int status, String code, String message) implements ComputeFault {}

    /// It begins an operation that does not end.
    record EndlessOperation() implements ComputeFault {}
}
