package io.cadastre.agent.spiderpool;

import io.cadastre.wire.pages.Histogram;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.List;
import java.util.Map;

/// How long something took: the average, the longest, the shortest and the last time, and how the times are
/// distributed. Safe for use by any number of threads.
final class DurationFigures {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Histogram histogram = new Histogram(0.1, 0.3, 0.5, 1, 3, 5, 7, 10, 15);
    private long count;
    private double sum;
    private double max;
    private double min = Double.POSITIVE_INFINITY;
    private double latest;

    synchronized void observe(long nanos) {
        double seconds = nanos / NANOS_PER_SECOND;
        histogram.observe(seconds);
        count++;
        sum += seconds;
        max = Math.max(max, seconds);
        min = Math.min(min, seconds);
        latest = seconds;
    }

    /// None before the first time.
    ///
    /// @param prefix what their names begin with
    /// @param suffix what their names end with
    /// @param what took this long, as the help says it
    synchronized List<Metric> metrics(String prefix, String suffix, String what) {
        if (count == 0) {
            return List.of();
        }
        return List.of(
                gauge(prefix + "average_" + suffix, "Average time of " + what, sum / count),
                gauge(prefix + "max_" + suffix, "Longest time of " + what, max),
                gauge(prefix + "min_" + suffix, "Shortest time of " + what, min),
                gauge(prefix + "latest_" + suffix, "Last time of " + what, latest),
                Metric.histogram(prefix + suffix, "Times of " + what, Map.of(List.of(), histogram)));
    }

    private static Metric gauge(String name, String help, double seconds) {
        return Metric.gauge(name, help, List.of(Sample.of(seconds)));
    }
}
