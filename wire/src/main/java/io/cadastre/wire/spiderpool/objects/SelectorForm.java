package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.engine.pool.LabelSelector;
import io.cadastre.engine.pool.LabelSelector.Operator;
import io.cadastre.engine.pool.LabelSelector.Requirement;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.Arrays;
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
        var requirements = new ArrayList<Requirement>();
        for (var element : reader.array(selector, "matchExpressions")) {
            if (!(element instanceof ObjectNode requirement)) {
                throw reader.wrong(name + ".matchExpressions", "an array of objects");
            }
            requirements.add(requirement(reader, requirement, name));
        }
        return Optional.of(new LabelSelector(reader.textMap(selector, "matchLabels"), requirements));
    }

    private static Requirement requirement(Fields reader, ObjectNode json, String name) {
        var word = reader.text(json, "operator");
        var values = reader.texts(json, "values");
        var operator = Arrays.stream(Operator.values())
                .filter(known -> known.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        reader.wrong(name + ".matchExpressions.operator", "one of In, NotIn, Exists, DoesNotExist"));
        boolean listed = operator == Operator.IN || operator == Operator.NOT_IN;
        if (listed == values.isEmpty()) {
            throw reader.wrong(name + ".matchExpressions.values", listed ? "a list with something in it" : "empty");
        }
        return new Requirement(reader.text(json, "key"), operator, values);
    }
}
