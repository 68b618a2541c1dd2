package io.cadastre.engine.block;

import io.cadastre.engine.block.Attribute.Held;

/// What is known about who holds an address.
public sealed interface AddressAttributes {

    /// Somebody does.
    record Assigned(Held attribute) implements AddressAttributes {}

    /// Nobody does, or nobody knows.
    record Refused(BlockRefusal refusal) implements AddressAttributes {}
}
