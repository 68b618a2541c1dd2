package io.cadastre.engine.block;

import io.cadastre.engine.MayRefuse;

/// What a request for one certain address came to.
public sealed interface AddressAssignment extends MayRefuse {

    /// The address is his, newly or as before.
    record Assigned(Lease lease) implements AddressAssignment {}

    record Refused(BlockRefusal refusal) implements AddressAssignment {}

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
