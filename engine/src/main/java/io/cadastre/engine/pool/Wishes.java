package io.cadastre.engine.pool;

import io.cadastre.engine.pool.Nic.GatewayUse;

/// What everybody says about the pools for a pod. Who comes first hides all others.
///
/// @param pod its annotations
/// @param namespace the annotations of its namespace
/// @param configured the configuration of the plugin
/// @param gatewayUse what the configuration says of gateways, for whoever does not say it himself
public record Wishes(Wish pod, Wish namespace, Wish configured, GatewayUse gatewayUse) {

    /// Nobody says anything.
    public static final Wishes NONE =
            new Wishes(
                    new Wish.Silent(),
                    new Wish.Silent(),
                    new Wish.Silent(),
                    GatewayUse.DEFAULT_ROUTE);
}
