package io.cadastre.engine.pool;

import io.cadastre.engine.pool.Nic.GatewayUse;

/// What each source says about the pools for a pod. The first that says anything hides all others.
///
/// @param pod its annotations
/// @param namespace the annotations of its namespace
/// @param configured the configuration of the plugin
/// @param gatewayUse what the configuration says of gateways, for sources that do not say it themselves
public record PoolPreferences(
        PoolPreference pod, PoolPreference namespace, PoolPreference configured, GatewayUse gatewayUse) {

    /// No source says anything.
    public static final PoolPreferences NONE = new PoolPreferences(
            new PoolPreference.Silent(),
            new PoolPreference.Silent(),
            new PoolPreference.Silent(),
            GatewayUse.DEFAULT_ROUTE);
}
