package io.cadastre.engine.block;

/// What a request for one certain address came to.
public sealed interface AddressAssignment {

    /// The address is his, newly or as before.
    record Assigned(Lease lease) implements AddressAssignment {}

    record Refused(BlockRefusal refusal) implements AddressAssignment {}
}
