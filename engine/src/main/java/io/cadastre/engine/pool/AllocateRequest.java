package io.cadastre.engine.pool;

/// Asks for addresses for an interface of a pod.
public record AllocateRequest(
        Tenant tenant,
        String nic,
        Wishes wishes,
        WishedRoutes routes,
        Networks networks,
        PoolSettings settings) {}
