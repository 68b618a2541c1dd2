package io.cadastre.engine.block.selector;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A condition on labels.
///
/// A selector is a value: the decoder of a document parses its selector once and keeps it with the rest
/// of the document.
public sealed interface Selector {

    /// The most characters of a text that [#parse(String)] will look at.
    int LENGTH_MAX = 65_536;

    /// The most characters that a selector may have in a new document. Older documents may have more.
    int LENGTH_IN_NEW_DOCUMENT_MAX = 1024;

    /// The most brackets inside each other, in a given text and in the canonical one. Every walk over a
    /// selector, also that of `equals`, goes as deep as its brackets, and the smallest stacks must hold it.
    /// Calico has no such bound.
    int NESTING_MAX = 64;

    /// Always true.
    record All() implements Selector {}

    /// Always true. Its other name makes a difference only where there are scopes, which is not here.
    record Global() implements Selector {}

    /// There is such a label, whatever its value.
    record Has(String label) implements Selector {

        public Has {
            Label.checked(label);
        }
    }

    /// The value of the label relates so to this one.
    record Comparison(String label, Operator operator, String value) implements Selector {

        public Comparison {
            Label.checked(label);
            checkQuotable(value);
        }
    }

    /// The value of the label is one of these, which are sorted and differ.
    record In(String label, List<String> values) implements Selector {

        public In {
            Label.checked(label);
            values = sortedSet(values);
        }
    }

    /// There is no such label, or its value is none of these, which are sorted and differ.
    record NotIn(String label, List<String> values) implements Selector {

        public NotIn {
            Label.checked(label);
            values = sortedSet(values);
        }
    }

    /// The operand is false.
    record Not(Selector operand) implements Selector {}

    /// All operands are true. There are at least two.
    record And(List<Selector> operands) implements Selector {

        public And {
            operands = atLeastTwo(operands);
        }
    }

    /// One operand is true. There are at least two.
    record Or(List<Selector> operands) implements Selector {

        public Or {
            operands = atLeastTwo(operands);
        }
    }

    /// How the value of a label relates to a given one. A missing label differs from all values, and
    /// has no other relation to any.
    enum Operator {
        EQUAL("=="),
        NOT_EQUAL("!="),
        CONTAINS("contains"),
        STARTS_WITH("starts with"),
        ENDS_WITH("ends with");

        private final String words;

        Operator(String words) {
            this.words = words;
        }

        private boolean holds(String actual, String given) {
            return switch (this) {
                case EQUAL -> actual.equals(given);
                case NOT_EQUAL -> !actual.equals(given);
                case CONTAINS -> actual.contains(given);
                case STARTS_WITH -> actual.startsWith(given);
                case ENDS_WITH -> actual.endsWith(given);
            };
        }
    }

    /// Reads a selector. The empty text is [All].
    ///
    /// @throws SelectorSyntaxException with the words of Calico
    static Selector parse(String text) {
        return Parser.parse(text);
    }

    /// Whether these labels meet the condition.
    default boolean matches(Map<String, String> labels) {
        return switch (this) {
            case All _, Global _ -> true;
            case Has(var label) -> labels.containsKey(label);
            case Comparison(var label, var operator, var value) ->
                Optional.ofNullable(labels.get(label))
                        .map(actual -> operator.holds(actual, value))
                        .orElse(operator == Operator.NOT_EQUAL);
            case In(var label, var values) -> isOneOf(values, labels, label);
            case NotIn(var label, var values) -> !isOneOf(values, labels, label);
            case Not(var operand) -> !operand.matches(labels);
            case And(var operands) -> {
                for (var operand : operands) {
                    if (!operand.matches(labels)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Or(var operands) -> {
                for (var operand : operands) {
                    if (operand.matches(labels)) {
                        yield true;
                    }
                }
                yield false;
            }
        };
    }

    /// The text that all ways to write this selector have in common; Calico derives names from it.
    ///
    /// It parses to the same selector, with one exception that Calico has too: a negation in brackets
    /// that is negated again prints as `!!`, which is read as nothing. The two match the same labels.
    /// It may be longer than [#LENGTH_MAX] if the given text nearly was.
    default String canonical() {
        var text = new StringBuilder();
        print(this, text);
        return text.toString();
    }

    private static void print(Selector selector, StringBuilder text) {
        switch (selector) {
            case All _ -> text.append("all()");
            case Global _ -> text.append("global()");
            case Has(var label) -> text.append("has(").append(label).append(')');
            case Comparison(var label, var operator, var value) ->
                text.append(label)
                        .append(' ')
                        .append(operator.words)
                        .append(' ')
                        .append(quoted(value));
            case In(var label, var values) -> text.append(label).append(" in ").append(quoted(values));
            case NotIn(var label, var values) ->
                text.append(label).append(" not in ").append(quoted(values));
            case Not(var operand) -> {
                text.append('!');
                print(operand, text);
            }
            case And(var operands) -> printChain(operands, " && ", text);
            case Or(var operands) -> printChain(operands, " || ", text);
        }
    }

    private static void printChain(List<Selector> operands, String link, StringBuilder text) {
        text.append('(');
        print(operands.getFirst(), text);
        for (var operand : operands.subList(1, operands.size())) {
            text.append(link);
            print(operand, text);
        }
        text.append(')');
    }

    private static String quoted(List<String> values) {
        return "{" + String.join(", ", values.stream().map(Selector::quoted).toList()) + "}";
    }

    private static String quoted(String value) {
        char quote = value.indexOf('"') >= 0 ? '\'' : '"';
        return quote + value + quote;
    }

    private static boolean isOneOf(List<String> values, Map<String, String> labels, String label) {
        return Optional.ofNullable(labels.get(label)).filter(values::contains).isPresent();
    }

    private static void checkQuotable(String value) {
        if (value.indexOf('"') >= 0 && value.indexOf('\'') >= 0) {
            throw new IllegalArgumentException("a value with both quotes cannot be written: " + value);
        }
    }

    /// Sorts by code points, which is the order of the UTF-8 bytes and not that of Java's strings.
    private static List<String> sortedSet(List<String> values) {
        values.forEach(Selector::checkQuotable);
        return values.stream()
                .distinct()
                .sorted(Comparator.comparing(value -> value.codePoints().toArray(), Arrays::compare))
                .toList();
    }

    private static List<Selector> atLeastTwo(List<Selector> operands) {
        if (operands.size() < 2) {
            throw new IllegalArgumentException("a chain has at least two operands, not %d".formatted(operands.size()));
        }
        return List.copyOf(operands);
    }
}
