package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;

/// Asks for addresses for an interface of a pod.
///
/// @param conflicting addresses that the pod cannot use, since another holder was seen to have them
/// @param masterSubnets those of the interface of the node below
/// @param expectation what the caller takes for likely
public record PoolAllocateRequest(
        PodInfo pod,
        String nic,
        PoolPreferences preferences,
        RequestedRoutes routes,
        Networks networks,
        PoolSettings settings,
        RangeSet conflicting,
        MasterSubnets masterSubnets,
        Expectation expectation) {

    /// For an interface that may be in any subnet, and of which nothing is expected.
    public PoolAllocateRequest(
            PodInfo pod,
            String nic,
            PoolPreferences preferences,
            RequestedRoutes routes,
            Networks networks,
            PoolSettings settings,
            RangeSet conflicting) {
        this(
                pod,
                nic,
                preferences,
                routes,
                networks,
                settings,
                conflicting,
                new MasterSubnets.NotAsked(),
                Expectation.NONE);
    }

    /// What is taken for likely. What is decided does not depend on it, only what is read for that.
    public enum Expectation {
        NONE,

        /// The pod has no endpoint yet.
        NO_ENDPOINT
    }

    public PoolAllocateRequest within(MasterSubnets subnets) {
        return new PoolAllocateRequest(
                pod, nic, preferences, routes, networks, settings, conflicting, subnets, expectation);
    }

    /// The same for a pod that is likely to have no endpoint yet.
    public PoolAllocateRequest expectingNoEndpoint() {
        return new PoolAllocateRequest(
                pod, nic, preferences, routes, networks, settings, conflicting, masterSubnets, Expectation.NO_ENDPOINT);
    }

    /// The same for a pod that is not alive any more.
    public PoolAllocateRequest withDeadPod() {
        return new PoolAllocateRequest(
                pod.dead(), nic, preferences, routes, networks, settings, conflicting, masterSubnets, expectation);
    }
}
