package io.cadastre.engine.block;

import io.cadastre.engine.block.Attribute.Held;

/// What is known about the holder of an address.
public sealed interface AddressAttributes {

    /// The address is held.
    record Assigned(Held attribute) implements AddressAttributes {}

    /// The address is not held, or its holder is not known.
    record Refused(BlockRefusal refusal) implements AddressAttributes {}
}
