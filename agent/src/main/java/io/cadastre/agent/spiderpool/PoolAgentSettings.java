package io.cadastre.agent.spiderpool;

import io.cadastre.engine.pool.PoolSettings;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is set for an agent that gives addresses of pools itself.
///
/// @param clusterNetwork the network of the first interface of pods that name none; empty if there is none
/// @param home the namespace of networks that are named without one
/// @param forcedRelease whether others than plugins may have addresses taken back from pods that live
/// @param features what Spiderpool's `conf.yml` turns on and off
public record PoolAgentSettings(
        PoolSettings pools, String clusterNetwork, String home, ForcedRelease forcedRelease, Set<Feature> features) {

    /// Those that are on where Spiderpool's chart is installed without values.
    public static final Set<Feature> DEFAULT_FEATURES =
            Collections.unmodifiableSet(EnumSet.of(Feature.STATEFUL_SET_ADDRESSES, Feature.VIRTUAL_MACHINE_ADDRESSES));

    public PoolAgentSettings {
        features = Collections.unmodifiableSet(
                features.isEmpty() ? EnumSet.noneOf(Feature.class) : EnumSet.copyOf(features));
    }

    /// What can be turned on and off.
    public enum Feature {
        /// `enableStatefulSet`: the pods of StatefulSets keep their addresses.
        STATEFUL_SET_ADDRESSES,

        /// `enableKubevirtStaticIP`: virtual machines keep their addresses.
        VIRTUAL_MACHINE_ADDRESSES,

        /// `enableIPConflictDetection`: plugins look for other holders of an address before a pod uses it.
        CONFLICT_DETECTION,

        /// `enableGatewayDetection`: plugins look for the gateway before a pod uses it.
        GATEWAY_DETECTION
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    public PoolAgentSettings withFeatures(Set<Feature> others) {
        return new PoolAgentSettings(pools, clusterNetwork, home, forcedRelease, others);
    }

    /// Whether clients other than plugins may have addresses taken back.
    public enum ForcedRelease {
        ALLOWED,
        FORBIDDEN
    }

    /// As Spiderpool's agent is set by its environment.
    ///
    /// @throws IllegalArgumentException if one of them makes no sense
    public static PoolAgentSettings of(Map<String, String> environment) {
        return new PoolAgentSettings(
                new PoolSettings(
                        PoolSettings.DEFAULT.families(),
                        recordsMax(environment.get("SPIDERPOOL_IPPOOL_MAX_ALLOCATED_IPS"))),
                environment.getOrDefault("MULTUS_CLUSTER_NETWORK", ""),
                environment.getOrDefault("SPIDERPOOL_POD_NAMESPACE", "kube-system"),
                "false".equals(environment.get("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS"))
                        ? ForcedRelease.FORBIDDEN
                        : ForcedRelease.ALLOWED,
                DEFAULT_FEATURES);
    }

    private static int recordsMax(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return PoolSettings.DEFAULT.recordsMax();
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException(
                    "SPIDERPOOL_IPPOOL_MAX_ALLOCATED_IPS is '%s'; it must be a number".formatted(text), none);
        }
    }
}
