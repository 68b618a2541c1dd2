package io.cadastre.controller.spiderpool.collection;

import io.cadastre.engine.pool.collect.CollectSettings;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSwitch;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// How pools are collected, as Spiderpool's controller is set by its environment.
///
/// @param enabled whether anything is collected at all
/// @param features what `conf.yml` turns on
/// @param scanPeriod how often all records are looked at
/// @param traceGap how often the pods are looked at that end
/// @param workers how many pods are released at a time
/// @param eventsMax how many events of pods wait at most; a scan finds what is left out
/// @param podsMax of how many pods it is known that they end
/// @param triesMax how often the release of a pod is tried before it is left to the scan
public record PoolGcSettings(
        Gate enabled,
        CollectSettings rules,
        Set<SpiderpoolSwitch> features,
        Duration scanPeriod,
        Duration traceGap,
        int workers,
        int eventsMax,
        int podsMax,
        int triesMax) {

    public static final PoolGcSettings DEFAULT = of(Map.of());

    public PoolGcSettings {
        features = Collections.unmodifiableSet(
                features.isEmpty() ? EnumSet.noneOf(SpiderpoolSwitch.class) : EnumSet.copyOf(features));
    }

    /// As Spiderpool's variables say. Two of them are about how its processes wait for each other. Ours do not, so
    /// these are checked and have no effect.
    ///
    /// @throws IllegalArgumentException if one of them is no value of its kind
    public static PoolGcSettings of(SpiderpoolSettings settings, Map<String, String> environment) {
        var read = new ControllerVariables(environment);
        read.seconds("SPIDERPOOL_GC_SIGNAL_TIMEOUT_DURATION", 3, 0);
        read.seconds("SPIDERPOOL_GC_HTTP_REQUEST_TIME_GAP", 1, 0);
        return new PoolGcSettings(
                read.gate("SPIDERPOOL_GC_IP_ENABLED", Gate.OPEN),
                new CollectSettings(
                        read.gate("SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_READY_NODE_ENABLED", Gate.OPEN),
                        read.gate("SPIDERPOOL_GC_STATELESS_TERMINATING_POD_ON_NOT_READY_NODE_ENABLED", Gate.OPEN),
                        read.gate("SPIDERPOOL_GC_ENABLE_STATELESS_RUNNING_POD_ON_EMPTY_POD_STATUS_IPS", Gate.CLOSED),
                        read.seconds("SPIDERPOOL_GC_ADDITIONAL_GRACE_DELAY", 0, 0)),
                Arrays.stream(SpiderpoolSwitch.values()).filter(settings::has).collect(Collectors.toSet()),
                read.seconds("SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION", 600, 1),
                read.seconds("SPIDERPOOL_GC_TRACE_POD_GAP_DURATION", 5, 1),
                read.number("SPIDERPOOL_GC_IP_WORKER_NUM", 3, 1, 1_000),
                read.number("SPIDERPOOL_GC_CHANNEL_BUFFER", 5_000, 1, 1_000_000),
                read.number("SPIDERPOOL_GC_MAX_PODENTRY_DB_CAP", 100_000, 1, 10_000_000),
                read.number("SPIDERPOOL_GC_PODENTRY_MAX_RETRIES", 5, 1, 1_000));
    }

    /// The same where there is no `conf.yml`.
    public static PoolGcSettings of(Map<String, String> environment) {
        return of(SpiderpoolSettings.of(Map.of()), environment);
    }

    boolean has(SpiderpoolSwitch feature) {
        return features.contains(feature);
    }

    /// The same with endpoints deleted that no record belongs to.
    public PoolGcSettings deletingOutdatedEndpoints() {
        var more = EnumSet.of(SpiderpoolSwitch.CLEAN_OUTDATED_ENDPOINT);
        more.addAll(features);
        return new PoolGcSettings(enabled, rules, more, scanPeriod, traceGap, workers, eventsMax, podsMax, triesMax);
    }
}
