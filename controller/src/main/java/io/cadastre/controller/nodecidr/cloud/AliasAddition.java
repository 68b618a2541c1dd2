package io.cadastre.controller.nodecidr.cloud;

/// What the request for another alias range came to.
public sealed interface AliasAddition {

    /// The machine has the range.
    record Added() implements AliasAddition {}

    /// The cloud does not let the machine have this range; another one may be tried.
    ///
    /// @param sentence says what was asked and what the cloud said, without a full stop
    record Refused(String sentence) implements AliasAddition {}

    /// The machine may have the range, or may get it later. The same range may be asked for again.
    ///
    /// @param sentence says what was asked and what came of it, without a full stop
    record Failed(String sentence) implements AliasAddition {}
}
