package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.engine.demand.PodSelector;
import io.cadastre.engine.demand.PodSelector.Comparison;
import io.cadastre.engine.demand.PodSelector.Expression;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.List;

/// A selector of labels as Kubernetes writes it.
final class PodSelectorForm {

    private PodSelectorForm() {}

    /// The selector of this name, if there is one.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if it is not one
    static List<PodSelector> read(Fields reader, ObjectNode parent, String name) {
        if (Fields.absent(parent.path(name))) {
            return List.of();
        }
        var selector = reader.object(parent, name);
        var expressions = new ArrayList<Expression>();
        for (var element : reader.array(selector, "matchExpressions")) {
            if (!(element instanceof ObjectNode expression)) {
                throw reader.wrong(name + ".matchExpressions", "made of objects");
            }
            expressions.add(expression(reader, expression, name));
        }
        return List.of(new PodSelector(reader.textMap(selector, "matchLabels"), expressions));
    }

    private static Expression expression(Fields reader, ObjectNode json, String name) {
        var path = name + ".matchExpressions";
        var comparison =
                switch (reader.text(json, "operator")) {
                    case "In" -> Comparison.IN;
                    case "NotIn" -> Comparison.NOT_IN;
                    case "Exists" -> Comparison.EXISTS;
                    case "DoesNotExist" -> Comparison.DOES_NOT_EXIST;
                    default -> throw reader.wrong(path + ".operator", "one of In, NotIn, Exists, DoesNotExist");
                };
        var values = reader.texts(json, "values");
        boolean listed = comparison == Comparison.IN || comparison == Comparison.NOT_IN;
        if (listed == values.isEmpty()) {
            throw reader.wrong(path + ".values", listed ? "a list with something in it" : "empty");
        }
        return new Expression(reader.text(json, "key"), comparison, values);
    }
}
