package io.cadastre.engine.pool.subnet;

import java.util.OptionalLong;
import java.util.stream.Stream;

/// How many replicas an application counts with.
public final class ReplicaCount {

    private ReplicaCount() {}

    /// Of a Deployment, a ReplicaSet or a StatefulSet by its `replicas`, and of a DaemonSet by the number of nodes
    /// that it is to run on.
    public static long of(OptionalLong written) {
        return written.orElse(0);
    }

    /// Of a Job, or of the template of a CronJob. It has at least one pod.
    public static long ofJob(OptionalLong completions, OptionalLong parallelism) {
        return Stream.of(completions, parallelism)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .map(written -> Math.max(1, written))
                .findFirst()
                .orElse(1);
    }
}
