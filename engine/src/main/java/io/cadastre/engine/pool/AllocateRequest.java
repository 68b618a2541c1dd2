package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;

/// Asks for addresses for an interface of a pod.
///
/// @param shunned addresses that are of no use to the pod, since somebody else was seen to have them
public record AllocateRequest(
        Tenant tenant,
        String nic,
        Wishes wishes,
        WishedRoutes routes,
        Networks networks,
        PoolSettings settings,
        RangeSet shunned) {}
