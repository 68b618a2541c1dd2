package io.cadastre.controller.queue;

import io.cadastre.wire.pages.Histogram;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.List;
import java.util.Map;

/// What is counted of a work queue: the metrics of client-go, with their names and limits. The queue calls it with
/// its lock.
final class QueueFigures {

    /// As client-go has them, which multiplies by ten and so has two with a rounding error.
    private static final double[] SECONDS = {
        1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000
    };

    private final Histogram waits = new Histogram(SECONDS);
    private final Histogram works = new Histogram(SECONDS);
    private long adds;
    private long retries;

    void added() {
        adds++;
    }

    void retried() {
        retries++;
    }

    void waited(long nanos) {
        waits.observe(nanos / 1e9);
    }

    void worked(long nanos) {
        works.observe(nanos / 1e9);
    }

    /// @param depth the keys that are due
    /// @param unfinished the seconds for which all work that is under way has been
    /// @param longest the same of the longest one
    List<Metric> metrics(String name, int depth, double unfinished, double longest) {
        var labels = List.of("name", name);
        return List.of(
                Metric.gauge("workqueue_depth", "Current depth of workqueue.", List.of(new Sample("", depth, labels))),
                Metric.counter(
                        "workqueue_adds_total",
                        "Total number of adds handled by workqueue.",
                        List.of(new Sample("", adds, labels))),
                Metric.histogram(
                        "workqueue_queue_duration_seconds",
                        "How long in seconds an item stays in workqueue before being requested.",
                        Map.of(labels, waits)),
                Metric.histogram(
                        "workqueue_work_duration_seconds",
                        "How long in seconds processing an item from workqueue takes.",
                        Map.of(labels, works)),
                Metric.gauge(
                        "workqueue_unfinished_work_seconds",
                        "Seconds of work in progress that work_duration does not count yet.",
                        List.of(new Sample("", unfinished, labels))),
                Metric.gauge(
                        "workqueue_longest_running_processor_seconds",
                        "Seconds that the longest running processor has been running.",
                        List.of(new Sample("", longest, labels))),
                Metric.counter(
                        "workqueue_retries_total",
                        "Total number of retries handled by workqueue.",
                        List.of(new Sample("", retries, labels))));
    }
}
