package io.cadastre.wire.kubernetes;

import io.cadastre.engine.MayRefuse;

/// What a request to store or to delete an object of the core group came to.
public sealed interface CoreOutcome extends MayRefuse {

    record Created() implements CoreOutcome {}

    record Configured() implements CoreOutcome {}

    /// It was stored like this already.
    record Unchanged() implements CoreOutcome {}

    record Deleted() implements CoreOutcome {}

    /// It was not stored, or not deleted.
    record Refused(String sentence) implements CoreOutcome {}

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
