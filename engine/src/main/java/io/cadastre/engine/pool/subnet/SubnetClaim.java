package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Family;

/// Asks that an application has a pool of a number of addresses of a subnet, for one interface and family.
///
/// @param uid that of the application
/// @param count how many addresses the pool is to have
/// @param number the same as it was asked for, for the pool's annotation
public record SubnetClaim(
        String subnet,
        OwnerApplication application,
        String uid,
        String nic,
        Family family,
        long count,
        String number,
        ReclaimPolicy reclaim) {

    public SubnetClaim {
        if (count < 0) {
            throw new IllegalArgumentException("a pool has no fewer than 0 addresses, not %d".formatted(count));
        }
    }

    /// The name of its pool if that is made for it, and not kept from an earlier application.
    public String poolName() {
        return AutoPoolName.of(family, application.name(), nic, uid);
    }

    /// What the pool's labels are to say.
    public ApplicationPool purpose() {
        return new ApplicationPool(application, uid, nic, reclaim);
    }
}
