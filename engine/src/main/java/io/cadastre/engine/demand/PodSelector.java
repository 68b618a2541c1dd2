package io.cadastre.engine.demand;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which labels a pod or a namespace must have, all of it together.
public record PodSelector(SortedMap<String, String> matchLabels, List<Expression> expressions) {

    public PodSelector {
        matchLabels = Collections.unmodifiableSortedMap(new TreeMap<>(matchLabels));
        expressions = List.copyOf(expressions);
    }

    /// How a label is compared.
    public enum Comparison {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    /// What is asked of one label.
    public record Expression(String key, Comparison comparison, List<String> values) {
        public Expression {
            values = List.copyOf(values);
        }

        private boolean matches(SortedMap<String, String> labels) {
            var value = Optional.ofNullable(labels.get(key));
            return switch (comparison) {
                case IN -> value.filter(values::contains).isPresent();
                case NOT_IN -> value.filter(values::contains).isEmpty();
                case EXISTS -> value.isPresent();
                case DOES_NOT_EXIST -> value.isEmpty();
            };
        }
    }

    public boolean matches(SortedMap<String, String> labels) {
        return matchLabels.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && expressions.stream().allMatch(expression -> expression.matches(labels));
    }
}
