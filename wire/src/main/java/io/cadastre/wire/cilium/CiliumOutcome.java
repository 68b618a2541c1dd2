package io.cadastre.wire.cilium;

import io.cadastre.engine.MayRefuse;

/// What a request to store or to delete an object of Cilium came to.
public sealed interface CiliumOutcome extends MayRefuse {

    record Created() implements CiliumOutcome {}

    record Configured() implements CiliumOutcome {}

    /// It was stored like this already.
    record Unchanged() implements CiliumOutcome {}

    record Deleted() implements CiliumOutcome {}

    /// It was not stored, or not deleted.
    record Refused(String sentence) implements CiliumOutcome {}

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
