package io.cadastre.engine.block;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.address.Prefix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

/// The first blocks that Calico tried for one host and pool.
///
/// @param start zero if there are no blocks
record BlockGeneratorVector(
        String id,
        String host,
        long hash,
        Prefix pool,
        int blockLength,
        BigInteger count,
        BigInteger start,
        List<Prefix> blocks) {

    static List<BlockGeneratorVector> all() {
        try (var stream = BlockGeneratorVector.class.getResourceAsStream("/calico/block-generator.json")) {
            return new ObjectMapper()
                    .readTree(Objects.requireNonNull(stream))
                    .get("vectors")
                    .valueStream()
                    .map(BlockGeneratorVector::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BlockGeneratorVector of(JsonNode vector) {
        return new BlockGeneratorVector(
                vector.get("id").textValue(),
                vector.get("host").textValue(),
                vector.get("fnv1").longValue(),
                Prefix.parse(vector.get("pool").textValue()),
                vector.get("blockSize").intValue(),
                new BigInteger(vector.get("blockCount").asText()),
                new BigInteger(vector.path("start").asText("0")),
                vector.get("blocks")
                        .valueStream()
                        .map(JsonNode::textValue)
                        .map(Prefix::parse)
                        .toList());
    }

    /// The id, so that a test is named for it.
    @Override
    public String toString() {
        return id;
    }
}
