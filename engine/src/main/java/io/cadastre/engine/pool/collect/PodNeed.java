package io.cadastre.engine.pool.collect;

import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import java.time.Instant;

/// Whether the state of a pod that exists calls for release.
record PodNeed(Call call, CollectRule rule) {

    enum Call {
        RELEASE,
        TRACE,
        NOTHING
    }

    static PodNeed of(ObservedPod pod, CollectSettings settings, Instant now) {
        return switch (pod.phase()) {
            case ENDED ->
                switch (pod.keeping()) {
                    case VALID -> new PodNeed(Call.TRACE, CollectRule.ENDED_VALID);
                    case INVALID -> new PodNeed(Call.RELEASE, CollectRule.ENDED_INVALID);
                    case NEVER ->
                        pod.deletion() instanceof Deletion.Begun begun
                                ? ofDeleted(pod, begun, settings, now)
                                : new PodNeed(Call.NOTHING, CollectRule.ENDED_UNDELETED);
                };
            case PENDING -> new PodNeed(Call.NOTHING, CollectRule.PENDING);
            case RUNNING, UNKNOWN ->
                switch (pod.deletion()) {
                    case Deletion.Begun begun -> ofDeleted(pod, begun, settings, now);
                    case Deletion.NotBegun _ ->
                        pod.reportsNothing()
                                ? ofPodWithoutAddresses(pod, settings)
                                : new PodNeed(Call.NOTHING, CollectRule.ALIVE);
                };
        };
    }

    private static PodNeed ofPodWithoutAddresses(ObservedPod pod, CollectSettings settings) {
        return switch (pod.keeping()) {
            case VALID -> new PodNeed(Call.NOTHING, CollectRule.WITHOUT_ADDRESSES_VALID);
            case INVALID -> new PodNeed(Call.RELEASE, CollectRule.WITHOUT_ADDRESSES_INVALID);
            case NEVER -> {
                if (pod.phase() == Phase.UNKNOWN) {
                    yield new PodNeed(Call.RELEASE, CollectRule.WITHOUT_ADDRESSES_UNKNOWN);
                }
                yield switch (settings.withoutAddresses()) {
                    case OPEN -> new PodNeed(Call.RELEASE, CollectRule.WITHOUT_ADDRESSES_GATE_OPEN);
                    case CLOSED -> new PodNeed(Call.NOTHING, CollectRule.WITHOUT_ADDRESSES_GATE_CLOSED);
                };
            }
        };
    }

    /// Upstream releases before the grace is over what a valid pod has that reports nothing. We keep it.
    private static PodNeed ofDeleted(ObservedPod pod, Deletion.Begun begun, CollectSettings settings, Instant now) {
        boolean over = now.isAfter(begun.over(settings.delay()));
        if (!over) {
            if (!pod.reportsNothing()) {
                return new PodNeed(Call.TRACE, CollectRule.GRACE_RUNS);
            }
            return pod.keeping() == Keeping.VALID
                    ? new PodNeed(Call.NOTHING, CollectRule.GRACE_RUNS_VALID)
                    : new PodNeed(Call.RELEASE, CollectRule.GRACE_RUNS_WITHOUT_ADDRESSES);
        }
        if (pod.keeping().possible()) {
            return new PodNeed(Call.NOTHING, CollectRule.GRACE_OVER_KEPT);
        }
        if (settings.opensOn(pod.node())) {
            return new PodNeed(Call.RELEASE, CollectRule.GRACE_OVER);
        }
        return new PodNeed(
                Call.NOTHING,
                pod.node() == NodeHealth.UNKNOWN
                        ? CollectRule.GRACE_OVER_NODE_UNKNOWN
                        : CollectRule.GRACE_OVER_GATE_CLOSED);
    }

    boolean release() {
        return call == Call.RELEASE;
    }
}
