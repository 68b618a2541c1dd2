package io.cadastre.engine.nodecidr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.address.SloppyText;
import io.cadastre.address.Subdivision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.Arguments;

/// The vectors of `cidrset.json`, which were taken from the reference implementation.
final class CidrSetVectors {

    private CidrSetVectors() {}

    /// The vectors of one kind, each with its id first.
    static Stream<Arguments> of(String kind) {
        try (var file = Objects.requireNonNull(CidrSetVectors.class.getResourceAsStream("cidrset.json"))) {
            var vectors = new ObjectMapper().readTree(file).get(kind);
            return StreamSupport.stream(vectors.spliterator(), false)
                    .map(vector -> Arguments.of(vector.get("id").textValue(), vector));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Subdivision cluster(JsonNode vector) {
        return new Subdivision(
                SloppyText.parsePrefix(vector.get("cluster").textValue()).orElseThrow(),
                vector.get("nodeMask").intValue());
    }
}
