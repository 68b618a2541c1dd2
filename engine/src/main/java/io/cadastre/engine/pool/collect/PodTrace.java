package io.cadastre.engine.pool.collect;

import io.cadastre.engine.pool.collect.ObservedPod.Deletion;
import io.cadastre.engine.pool.collect.ObservedPod.End;
import io.cadastre.engine.pool.collect.ObservedPod.NodeHealth;
import io.cadastre.engine.pool.collect.ObservedPod.Phase;
import io.cadastre.engine.pool.collect.ObservedPod.Reported;
import java.time.Instant;

/// Whether a pod is to be looked at again at some time, so that its addresses are released then.
public sealed interface PodTrace {

    TraceRule rule();

    /// From this time on its addresses may be released.
    record Until(Instant stop, TraceRule rule) implements PodTrace {}

    record None(TraceRule rule) implements PodTrace {}

    /// The rules, in the order in which they are asked.
    enum TraceRule {
        HOST_NETWORK("the pod is in the network of its node"),
        STATEFUL_SET_OR_MACHINE_VALID("the owner of the pod will create it again"),
        DELETED("the pod was deleted"),
        TERMINATING("the deletion of the pod has begun"),
        ENDED("the pod has ended"),
        ENDED_WITHOUT_TIME("the pod has ended, but no container has a time at which it finished"),
        NODE_UNKNOWN("the node of the pod is unknown"),
        GATE_CLOSED("the settings keep what pods on such a node have"),
        NOTHING_NEW("the pod neither ends nor is deleted");

        private final String words;

        TraceRule(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /// What happened to a pod.
    sealed interface PodEvent {

        ObservedPod pod();

        /// The pod is not there any more.
        record Gone(ObservedPod pod) implements PodEvent {}

        /// The pod is there, and nothing was known of it before.
        record Appeared(ObservedPod pod) implements PodEvent {}

        /// The pod is not as it was.
        ///
        /// @param before the pod as it was; its owner and its node do not matter
        record Changed(ObservedPod before, ObservedPod pod) implements PodEvent {}
    }

    /// What follows from an event.
    static PodTrace of(PodEvent event, CollectSettings settings, Instant now) {
        var pod = event.pod();
        if (pod.reported() == Reported.OF_NODE) {
            return new None(TraceRule.HOST_NETWORK);
        }
        if (pod.keeping() == Keeping.VALID) {
            return new None(TraceRule.STATEFUL_SET_OR_MACHINE_VALID);
        }
        return switch (event) {
            // Whatever the node's state: the pod is not there any more.
            case PodEvent.Gone _ -> new Until(now.plus(settings.delay()), TraceRule.DELETED);
            case PodEvent.Appeared _ -> present(pod, new Deletion.NotBegun(), Phase.RUNNING, settings);
            case PodEvent.Changed(var before, var _) -> present(pod, before.deletion(), before.phase(), settings);
        };
    }

    private static PodTrace present(
            ObservedPod pod, Deletion deletionBefore, Phase phaseBefore, CollectSettings settings) {
        boolean terminates =
                pod.deletion() instanceof Deletion.Begun && !pod.deletion().equals(deletionBefore);
        boolean ends = pod.phase() == Phase.ENDED && phaseBefore != Phase.ENDED;
        if (!terminates && !ends) {
            return new None(TraceRule.NOTHING_NEW);
        }
        if (!settings.opensOn(pod.node())) {
            return new None(pod.node() == NodeHealth.UNKNOWN ? TraceRule.NODE_UNKNOWN : TraceRule.GATE_CLOSED);
        }
        if (terminates && pod.deletion() instanceof Deletion.Begun begun) {
            return new Until(begun.over(settings.delay()), TraceRule.TERMINATING);
        }
        return switch (pod.end()) {
            case End.Unknown _ -> new None(TraceRule.ENDED_WITHOUT_TIME);
            case End.At at -> new Until(at.over(settings.delay()), TraceRule.ENDED);
        };
    }
}
