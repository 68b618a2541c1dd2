package io.cadastre.engine.nodecidr.clustercidr;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// What is asked of one label of a node.
///
/// The text is that of Kubernetes label selectors, since ClusterCIDRs are ordered by it.
record LabelRequirement(String key, Operator operator, List<String> values) {

    LabelRequirement {
        values = List.copyOf(values);
    }

    /// How a label is compared.
    enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist"),
        GREATER_THAN("Gt"),
        LESS_THAN("Lt");

        private final String word;

        Operator(String word) {
            this.word = word;
        }

        static Optional<Operator> find(String word) {
            for (var operator : values()) {
                if (operator.word.equals(word)) {
                    return Optional.of(operator);
                }
            }
            return Optional.empty();
        }
    }

    boolean matches(SortedMap<String, String> labels) {
        return switch (operator) {
            case IN -> labels.containsKey(key) && values.contains(labels.get(key));
            case NOT_IN -> !labels.containsKey(key) || !values.contains(labels.get(key));
            case EXISTS -> labels.containsKey(key);
            case DOES_NOT_EXIST -> !labels.containsKey(key);
            case GREATER_THAN -> compares(labels, 1);
            case LESS_THAN -> compares(labels, -1);
        };
    }

    /// Whether the label is a number on this side of the value. One that is not a number is on neither.
    private boolean compares(SortedMap<String, String> labels, int side) {
        if (!labels.containsKey(key) || values.size() != 1) {
            return false;
        }
        var label = number(labels.get(key));
        var bound = number(values.getFirst());
        return label.isPresent()
                && bound.isPresent()
                && Integer.signum(Long.compare(label.getAsLong(), bound.getAsLong())) == side;
    }

    static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    @Override
    public String toString() {
        return switch (operator) {
            case IN -> key + " in " + sortedValues();
            case NOT_IN -> key + " notin " + sortedValues();
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case GREATER_THAN -> key + ">" + String.join(",", values);
            case LESS_THAN -> key + "<" + String.join(",", values);
        };
    }

    private String sortedValues() {
        return values.stream().sorted().collect(Collectors.joining(",", "(", ")"));
    }
}
