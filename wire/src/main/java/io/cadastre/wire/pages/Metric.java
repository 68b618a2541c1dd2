package io.cadastre.wire.pages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// One figure under its name, with a sample for each set of labels.
public record Metric(String name, String help, Type type, List<Sample> samples) {

    /// How it moves.
    public enum Type {
        /// Up and down.
        GAUGE("gauge"),
        /// Up, until it is reset.
        COUNTER("counter"),
        /// How often values fell under each of some limits.
        HISTOGRAM("histogram");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    /// One value.
    ///
    /// @param suffix of the name of the metric, as histograms have them; usually empty
    /// @param labels names and values in turn
    public record Sample(String suffix, double value, List<String> labels) {

        public Sample {
            labels = List.copyOf(labels);
            if (labels.size() % 2 != 0) {
                throw new IllegalArgumentException("a label has a name and a value: " + labels);
            }
        }

        public static Sample of(double value, String... labels) {
            return new Sample("", value, Arrays.asList(labels));
        }
    }

    public Metric {
        samples = List.copyOf(samples);
    }

    public static Metric gauge(String name, String help, List<Sample> samples) {
        return new Metric(name, help, Type.GAUGE, samples);
    }

    public static Metric counter(String name, String help, List<Sample> samples) {
        return new Metric(name, help, Type.COUNTER, samples);
    }

    /// One that tells how values are distributed, for each set of labels.
    ///
    /// @param histograms with the labels of each, names and values in turn
    public static Metric histogram(String name, String help, Map<List<String>, Histogram> histograms) {
        var samples = new ArrayList<Sample>();
        histograms.forEach((labels, histogram) -> samples.addAll(histogram.samples(labels)));
        return new Metric(name, help, Type.HISTOGRAM, samples);
    }

    /// Both lists, in which a metric of one name stands once, with the samples of both.
    public static List<Metric> together(List<Metric> some, List<Metric> others) {
        var byName = new LinkedHashMap<String, Metric>();
        Stream.concat(some.stream(), others.stream())
                .forEach(metric -> byName.merge(metric.name(), metric, Metric::withSamplesOf));
        return List.copyOf(byName.values());
    }

    private Metric withSamplesOf(Metric other) {
        var all = new ArrayList<>(samples);
        all.addAll(other.samples);
        return new Metric(name, help, type, all);
    }

    /// All of them as Prometheus reads them, in its text format of version 0.0.4. One without samples is
    /// not shown.
    public static String text(List<Metric> metrics) {
        var text = new StringBuilder();
        for (var metric : metrics) {
            if (!metric.samples.isEmpty()) {
                metric.writeTo(text);
            }
        }
        return text.toString();
    }

    private void writeTo(StringBuilder text) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type.word).append('\n');
        for (var sample : samples) {
            text.append(name).append(sample.suffix);
            for (int label = 0; label < sample.labels.size(); label += 2) {
                text.append(label == 0 ? '{' : ',')
                        .append(sample.labels.get(label))
                        .append("=\"")
                        .append(escaped(sample.labels.get(label + 1)))
                        .append('"');
            }
            text.append(sample.labels.isEmpty() ? " " : "} ")
                    .append(number(sample.value))
                    .append('\n');
        }
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    /// Whole numbers without a fraction, as far as they are exact.
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) <= 1L << 53
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
