package io.cadastre.controller.spiderpool.collection;

import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// What was taken back, under the names of Spiderpool's dashboards.
final class GcCounts {

    static final String COLLECTED = "spiderpool_ip_gc_counts_total";
    static final String FAILED = "spiderpool_ip_gc_failure_counts_total";
    static final String CONFLICTS = "spiderpool_ipam_release_update_ippool_conflict_counts_total";

    private final AtomicLong collected = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong conflicts = new AtomicLong();

    void collected(int addresses) {
        collected.addAndGet(addresses);
    }

    void failed() {
        failed.incrementAndGet();
    }

    void conflict() {
        conflicts.incrementAndGet();
    }

    List<Metric> metrics() {
        return List.of(
                Metric.counter(COLLECTED, "Addresses of pools that were released.", sample(collected)),
                Metric.counter(FAILED, "Releases of addresses of pools that failed.", sample(failed)),
                Metric.counter(CONFLICTS, "Writes of pools that met the write of another process.", sample(conflicts)));
    }

    private static List<Sample> sample(AtomicLong count) {
        return List.of(Sample.of((double) count.get()));
    }
}
