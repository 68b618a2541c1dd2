package io.cadastre.engine.block.assign;

import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;

/// What a request for one certain address came to.
public sealed interface AddressAssignment extends MayRefuse {

    /// The caller holds the address, newly or as before.
    record Assigned(AssignedAddress lease) implements AddressAssignment {}

    record Refused(BlockRefusal refusal) implements AddressAssignment {}

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
