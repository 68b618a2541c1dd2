package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;

/// The addresses of a subnet that one pool has, or is going to have.
///
/// @param application the application of the pool as [OwnerApplication#text()]; empty for a pool made by hand
public record PreAllocation(RangeSet addresses, String application) {

    /// That of a pool made by hand.
    public PreAllocation(RangeSet addresses) {
        this(addresses, "");
    }

    public boolean forApplication() {
        return !application.isEmpty();
    }

    PreAllocation withAddresses(RangeSet others) {
        return new PreAllocation(others, application);
    }
}
