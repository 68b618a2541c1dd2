package io.cadastre.engine.nodecidr.clustercidr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.Arguments;

/// The vectors of `multicidr.json`, which were taken from the reference implementation.
final class MultiCidrVectors {

    private MultiCidrVectors() {}

    /// The vectors of one kind, each with its id first.
    static Stream<Arguments> of(String kind) {
        try (var file = Objects.requireNonNull(MultiCidrVectors.class.getResourceAsStream("multicidr.json"))) {
            var vectors = new ObjectMapper().readTree(file).get(kind);
            return stream(vectors).map(vector -> Arguments.of(vector.get("id").textValue(), vector));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static List<String> texts(JsonNode array) {
        return stream(array).map(JsonNode::textValue).toList();
    }

    static ClusterCidr clusterCidr(JsonNode vector) {
        var spec = new ClusterCidrSpec(
                vector.get("perNodeHostBits").intValue(),
                vector.path("ipv4").asText(""),
                vector.path("ipv6").asText(""),
                selector(vector.get("matchExpressions")));
        return ClusterCidr.of(vector.get("name").textValue(), spec);
    }

    /// None, or one term.
    static NodeSelector selector(JsonNode expressions) {
        if (expressions.isNull()) {
            return new NodeSelector.Absent();
        }
        var requirements = stream(expressions)
                .map(expression -> new SelectorRequirement(
                        expression.get("key").textValue(),
                        expression.get("operator").textValue(),
                        texts(expression.path("values"))))
                .toList();
        return new NodeSelector.Terms(List.of(new NodeSelector.Term(requirements, List.of())));
    }
}
