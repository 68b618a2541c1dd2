package io.cadastre.engine.pool.collect;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What is to be done about a record and the endpoint of its pod.
///
/// @param steps what is to be done; empty if both are kept
/// @param rules the rules that decided, first the one about the pod
public record CollectVerdict(Set<Step> steps, List<CollectRule> rules) {

    public CollectVerdict {
        steps = Collections.unmodifiableSet(copy(steps));
        rules = List.copyOf(rules);
    }

    private static Set<Step> copy(Collection<Step> steps) {
        var copy = EnumSet.noneOf(Step.class);
        copy.addAll(steps);
        return copy;
    }

    /// One thing to do.
    public enum Step {
        FREE_RECORD,
        DELETE_ENDPOINT,
        /// The pod is looked at again when its grace is over.
        TRACE
    }

    /// Whether anything is to be written.
    public boolean collects() {
        return steps.contains(Step.FREE_RECORD) || steps.contains(Step.DELETE_ENDPOINT);
    }
}
