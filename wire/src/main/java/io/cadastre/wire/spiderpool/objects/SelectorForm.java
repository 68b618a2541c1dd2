package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.engine.pool.LabelSelector;
import io.cadastre.engine.pool.LabelSelector.Operator;
import io.cadastre.engine.pool.LabelSelector.Requirement;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A selector of labels as Kubernetes writes it.
final class SelectorForm {

    private SelectorForm() {}

    /// The selector of this name; empty if there is none.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it is not one
    static Optional<LabelSelector> find(Fields reader, ObjectNode parent, String name) {
        if (Fields.absent(parent.path(name))) {
            return Optional.empty();
        }
        var selector = reader.object(parent, name);
        return Optional.of(new LabelSelector(
                reader.textMap(selector, "matchLabels"),
                expressions(reader, selector, name).stream()
                        .map(requirement -> requirement(reader, requirement, name))
                        .toList()));
    }

    private static List<ObjectNode> expressions(Fields reader, ObjectNode selector, String name) {
        var expressions = new ArrayList<ObjectNode>();
        for (var element : reader.array(selector, "matchExpressions")) {
            if (!(element instanceof ObjectNode requirement)) {
                throw reader.wrong(name + ".matchExpressions", "an array of objects");
            }
            expressions.add(requirement);
        }
        return expressions;
    }

    private static Requirement requirement(Fields reader, ObjectNode json, String name) {
        var values = reader.texts(json, "values");
        var operator = operator(reader, json)
                .orElseThrow(() ->
                        reader.wrong(name + ".matchExpressions.operator", "one of In, NotIn, Exists, DoesNotExist"));
        if (listed(operator) == values.isEmpty()) {
            throw reader.wrong(
                    name + ".matchExpressions.values", listed(operator) ? "a list with something in it" : "empty");
        }
        return new Requirement(reader.text(json, "key"), operator, values);
    }

    private static Optional<Operator> operator(Fields reader, ObjectNode requirement) {
        var word = reader.text(requirement, "operator");
        return Arrays.stream(Operator.values())
                .filter(known -> known.word().equals(word))
                .findFirst();
    }

    private static boolean listed(Operator operator) {
        return operator == Operator.IN || operator == Operator.NOT_IN;
    }

    /// What is wrong with the selector of this name in a spec that is to be written, in the order and the
    /// words of the API server. A stored one with impossible labels is read as it is: its pool must be able
    /// to take addresses back.
    static List<ObjectFault> faults(Fields reader, ObjectNode spec, String name) {
        var selector = reader.object(spec, name);
        var path = "spec." + name;
        var faults = new ArrayList<ObjectFault>();
        reader.textMap(selector, "matchLabels").forEach((key, value) -> {
            faults.addAll(invalid(path + ".matchLabels", key, LabelRules.keyFaults(key)));
            faults.addAll(invalid(path + ".matchLabels", value, LabelRules.valueFaults(value)));
        });
        var expressions = expressions(reader, selector, name);
        for (int index = 0; index < expressions.size(); index++) {
            faults.addAll(faults(reader, expressions.get(index), path, index));
        }
        return faults;
    }

    private static List<ObjectFault> faults(Fields reader, ObjectNode requirement, String selector, int index) {
        var path = "%s.matchExpressions[%d]".formatted(selector, index);
        var key = reader.text(requirement, "key");
        var values = reader.texts(requirement, "values");
        var faults = new ArrayList<ObjectFault>();
        operator(reader, requirement)
                .ifPresentOrElse(
                        operator ->
                                valuesFault(path + ".values", operator, values).ifPresent(faults::add),
                        () -> faults.add(ObjectFault.invalid(
                                path + ".operator",
                                reader.text(requirement, "operator"),
                                "not a valid selector operator")));
        faults.addAll(invalid(path + ".key", key, LabelRules.keyFaults(key)));
        for (int at = 0; at < values.size(); at++) {
            faults.addAll(invalid(
                    "%s.values[%d]".formatted(path, at), values.get(at), LabelRules.valueFaults(values.get(at))));
        }
        return faults;
    }

    private static Optional<ObjectFault> valuesFault(String path, Operator operator, List<String> values) {
        if (listed(operator) != values.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                listed(operator)
                        ? ObjectFault.required(path, "must be specified when `operator` is 'In' or 'NotIn'")
                        : ObjectFault.forbidden(
                                path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }

    private static List<ObjectFault> invalid(String field, String value, List<String> details) {
        return details.stream()
                .map(detail -> ObjectFault.invalid(field, value, detail))
                .toList();
    }
}
