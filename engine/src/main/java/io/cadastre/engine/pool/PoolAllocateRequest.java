package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;

/// Asks for addresses for an interface of a pod.
///
/// @param conflicting addresses that the pod cannot use, since another holder was seen to have them
/// @param expectation what the caller takes for likely
public record PoolAllocateRequest(
        PodInfo pod,
        String nic,
        PoolPreferences preferences,
        RequestedRoutes routes,
        Networks networks,
        PoolSettings settings,
        RangeSet conflicting,
        Expectation expectation) {

    /// A request of which nothing is expected.
    public PoolAllocateRequest(
            PodInfo pod,
            String nic,
            PoolPreferences preferences,
            RequestedRoutes routes,
            Networks networks,
            PoolSettings settings,
            RangeSet conflicting) {
        this(pod, nic, preferences, routes, networks, settings, conflicting, Expectation.NONE);
    }

    /// What is taken for likely. What is decided does not depend on it, only what is read for that.
    public enum Expectation {
        NONE,

        /// The pod has no endpoint yet.
        NO_ENDPOINT
    }

    /// The same for a pod that is likely to have no endpoint yet.
    public PoolAllocateRequest expectingNoEndpoint() {
        return new PoolAllocateRequest(
                pod, nic, preferences, routes, networks, settings, conflicting, Expectation.NO_ENDPOINT);
    }

    /// The same for a pod that is not alive any more.
    public PoolAllocateRequest withDeadPod() {
        return new PoolAllocateRequest(
                pod.dead(), nic, preferences, routes, networks, settings, conflicting, expectation);
    }
}
