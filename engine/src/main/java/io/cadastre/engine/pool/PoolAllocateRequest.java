package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;

/// Asks for addresses for an interface of a pod.
///
/// @param conflicting addresses that the pod cannot use, since another holder was seen to have them
/// @param masterSubnets those of the interface of the node below
public record PoolAllocateRequest(
        PodInfo pod,
        String nic,
        PoolPreferences preferences,
        RequestedRoutes routes,
        Networks networks,
        PoolSettings settings,
        RangeSet conflicting,
        MasterSubnets masterSubnets) {

    /// For an interface that may be in any subnet.
    public PoolAllocateRequest(
            PodInfo pod,
            String nic,
            PoolPreferences preferences,
            RequestedRoutes routes,
            Networks networks,
            PoolSettings settings,
            RangeSet conflicting) {
        this(pod, nic, preferences, routes, networks, settings, conflicting, new MasterSubnets.NotAsked());
    }

    public PoolAllocateRequest within(MasterSubnets subnets) {
        return new PoolAllocateRequest(pod, nic, preferences, routes, networks, settings, conflicting, subnets);
    }
}
