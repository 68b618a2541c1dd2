package io.cadastre.agent.spiderpool;

import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.wire.spiderpool.settings.AgentVariable;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What is set for an agent that gives addresses of pools itself.
///
/// @param clusterNetwork the network of the first interface of pods that name none; empty if there is none
/// @param home the namespace of networks that are named without one
/// @param forcedRelease whether others than plugins may have addresses taken back from pods that live
/// @param features what is turned on
/// @param subnets how pools that are made of subnets are waited for
public record PoolAgentSettings(
        PoolSettings pools,
        String clusterNetwork,
        String home,
        ForcedRelease forcedRelease,
        Set<SpiderpoolSwitch> features,
        SubnetPatience subnets) {

    public PoolAgentSettings {
        features = Collections.unmodifiableSet(
                features.isEmpty() ? EnumSet.noneOf(SpiderpoolSwitch.class) : EnumSet.copyOf(features));
    }

    /// How the pool of an application is waited for.
    ///
    /// @param redundancy how many addresses more than replicas it has if the application does not say
    /// @param pause between two looks
    /// @param triesMax how many looks there are
    public record SubnetPatience(int redundancy, Duration pause, int triesMax) {}

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
                settings.flag(AgentVariable.RELEASE_CONFLICT_IPS) ? ForcedRelease.ALLOWED : ForcedRelease.FORBIDDEN,
                Arrays.stream(SpiderpoolSwitch.values()).filter(settings::has).collect(Collectors.toSet()),
                new SubnetPatience(
                        settings.redundantAddresses(),
                        settings.subnetWait(),
                        settings.number(AgentVariable.SUBNET_TRIES_MAX)));
    }

    boolean has(SpiderpoolSwitch feature) {
        return features.contains(feature);
    }

    public PoolAgentSettings withFeatures(Set<SpiderpoolSwitch> others) {
        return new PoolAgentSettings(pools, clusterNetwork, home, forcedRelease, others, subnets);
    }
}
