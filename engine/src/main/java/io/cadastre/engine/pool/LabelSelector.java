package io.cadastre.engine.pool;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which labels something must have, all of it together. One that asks for nothing fits everything.
public record LabelSelector(SortedMap<String, String> matchLabels, List<Requirement> requirements) {

    public LabelSelector {
        matchLabels = Collections.unmodifiableSortedMap(new TreeMap<>(matchLabels));
        requirements = List.copyOf(requirements);
    }

    /// What is asked of one label.
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        private String words() {
            return values.isEmpty()
                    ? key + " " + operator.word()
                    : "%s %s (%s)".formatted(key, operator.word(), String.join(", ", values));
        }

        boolean fits(SortedMap<String, String> labels) {
            return switch (operator) {
                case IN -> labels.containsKey(key) && values.contains(labels.get(key));
                case NOT_IN -> !labels.containsKey(key) || !values.contains(labels.get(key));
                case EXISTS -> labels.containsKey(key);
                case DOES_NOT_EXIST -> !labels.containsKey(key);
            };
        }
    }

    /// How a label is compared.
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        /// As it is written.
        public String word() {
            return word;
        }
    }

    /// What it asks for, in words.
    String words() {
        return Stream.concat(
                        matchLabels.entrySet().stream().map(label -> label.getKey() + "=" + label.getValue()),
                        requirements.stream().map(Requirement::words))
                .collect(Collectors.joining(", "));
    }

    /// Those of the labels that it asks about, in words.
    String asked(SortedMap<String, String> labels) {
        return labels.entrySet().stream()
                .filter(label -> matchLabels.containsKey(label.getKey())
                        || requirements.stream().anyMatch(one -> one.key().equals(label.getKey())))
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
    }

    public boolean empty() {
        return matchLabels.isEmpty() && requirements.isEmpty();
    }

    public boolean fits(SortedMap<String, String> labels) {
        return matchLabels.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && requirements.stream().allMatch(requirement -> requirement.fits(labels));
    }
}
