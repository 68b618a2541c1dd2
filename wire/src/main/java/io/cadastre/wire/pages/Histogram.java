package io.cadastre.wire.pages;

import io.cadastre.wire.pages.Metric.Sample;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/// How often observed values were at most as large as each of some limits. Safe for use by any number of threads.
public final class Histogram {

    private final double[] limits;
    private final long[] counts;
    private double sum;

    /// @param limits ascending; a last one without limit is added
    public Histogram(double... limits) {
        this.limits = limits.clone();
        this.counts = new long[limits.length + 1];
    }

    public synchronized void observe(double value) {
        int bucket = 0;
        while (bucket < limits.length && value > limits[bucket]) {
            bucket++;
        }
        counts[bucket]++;
        sum += value;
    }

    /// As Prometheus names them: cumulated buckets, the sum and the count.
    synchronized List<Sample> samples(List<String> labels) {
        var samples = new ArrayList<Sample>();
        long count = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            count += counts[bucket];
            var limited = new ArrayList<>(labels);
            limited.add("le");
            limited.add(bucket < limits.length ? text(limits[bucket]) : "+Inf");
            samples.add(new Sample("_bucket", count, limited));
        }
        samples.add(new Sample("_sum", sum, labels));
        samples.add(new Sample("_count", count, labels));
        return samples;
    }

    /// As Go prints it: with an exponent below 0.0001 and from 1e21 on.
    private static String text(double limit) {
        var decimal = new BigDecimal(Double.toString(limit)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= -4 && exponent < 21) {
            return decimal.toPlainString();
        }
        return "%se%s%02d"
                .formatted(
                        decimal.movePointLeft(exponent).toPlainString(), exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
