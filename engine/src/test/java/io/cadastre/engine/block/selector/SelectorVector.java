package io.cadastre.engine.block.selector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// What Calico made of one text.
///
/// @param expected the canonical text of a valid selector, the error of any other
record SelectorVector(String id, String text, boolean valid, String expected, List<Evaluation> evaluations) {

    record Evaluation(Map<String, String> labels, boolean result) {}

    static List<SelectorVector> all() {
        try (var stream = SelectorVector.class.getResourceAsStream("/calico/selectors.json")) {
            return new ObjectMapper()
                    .readTree(Objects.requireNonNull(stream))
                    .get("vectors")
                    .valueStream()
                    .map(SelectorVector::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SelectorVector of(JsonNode vector) {
        boolean valid = vector.get("valid").booleanValue();
        return new SelectorVector(
                vector.get("id").textValue(),
                vector.get("selector").textValue(),
                valid,
                vector.get(valid ? "canonical" : "error").textValue(),
                vector.path("evaluations")
                        .valueStream()
                        .map(SelectorVector::evaluation)
                        .toList());
    }

    private static Evaluation evaluation(JsonNode evaluation) {
        var labels = new TreeMap<String, String>();
        evaluation
                .get("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().textValue()));
        return new Evaluation(labels, evaluation.get("result").booleanValue());
    }

    /// The id, so that a test is named for it.
    @Override
    public String toString() {
        return id;
    }
}
