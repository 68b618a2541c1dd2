package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;

/// Asks for addresses for an interface of a pod.
///
/// @param conflicting addresses that the pod cannot use, since another holder was seen to have them
public record PoolAllocateRequest(
        PodInfo pod,
        String nic,
        PoolPreferences preferences,
        RequestedRoutes routes,
        Networks networks,
        PoolSettings settings,
        RangeSet conflicting) {

    /// The same for a pod that is not alive any more.
    public PoolAllocateRequest withDeadPod() {
        return new PoolAllocateRequest(pod.dead(), nic, preferences, routes, networks, settings, conflicting);
    }
}
