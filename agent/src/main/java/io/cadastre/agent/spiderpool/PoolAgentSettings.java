package io.cadastre.agent.spiderpool;

import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.wire.spiderpool.settings.AgentVariable;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.util.Map;

/// What is set for an agent that gives addresses of pools itself.
///
/// @param clusterNetwork the network of the first interface of pods that name none; empty if there is none
/// @param home the namespace of networks that are named without one
/// @param forcedRelease whether others than plugins may have addresses taken back from pods that live
public record PoolAgentSettings(PoolSettings pools, String clusterNetwork, String home, ForcedRelease forcedRelease) {

    /// Whether clients other than plugins may have addresses taken back.
    public enum ForcedRelease {
        ALLOWED,
        FORBIDDEN
    }

    /// As Spiderpool's agent is set by its environment, where there is no `conf.yml`.
    public static PoolAgentSettings of(Map<String, String> environment) {
        return of(SpiderpoolSettings.of(environment));
    }

    /// As Spiderpool's agent is set.
    public static PoolAgentSettings of(SpiderpoolSettings settings) {
        return new PoolAgentSettings(
                new PoolSettings(settings.families(), settings.number(AgentVariable.RECORDS_MAX)),
                settings.text(AgentVariable.CLUSTER_NETWORK),
                settings.text(AgentVariable.POD_NAMESPACE),
                settings.flag(AgentVariable.RELEASE_CONFLICT_IPS) ? ForcedRelease.ALLOWED : ForcedRelease.FORBIDDEN);
    }
}
