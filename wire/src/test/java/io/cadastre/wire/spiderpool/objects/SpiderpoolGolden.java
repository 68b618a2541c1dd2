package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/// What Spiderpool itself stored and said.
public final class SpiderpoolGolden {

    static final String STORED = "/spiderpool/stored.json";
    static final String POOL = "/spiderpool/ippool.json";
    static final String ENDPOINT = "/spiderpool/endpoint.json";
    public static final String REFUSALS = "/spiderpool/refusals.json";
    static final String SUBNET = "/spiderpool/subnet.json";
    static final String ANNOTATIONS = "/spiderpool/annotations.json";

    private static final String PATH = "/apis/spiderpool.spidernet.io/v2beta1/";

    private SpiderpoolGolden() {}

    public static JsonNode read(String resource) {
        try (var stream = Objects.requireNonNull(SpiderpoolGolden.class.getResourceAsStream(resource))) {
            return new ObjectMapper().readTree(stream);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// An object as the API server gave it.
    record Stored(String scene, String path, Bytes value) {

        ObjectNode json() {
            return Json.readObject(path, value);
        }

        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        boolean isOf(String plural) {
            return path.contains("/" + plural + "/");
        }

        @Override
        public String toString() {
            return scene + " " + path;
        }
    }

    static List<Stored> stored() {
        return read(STORED)
                .path("scenes")
                .valueStream()
                .flatMap(scene -> scene.path("entries")
                        .valueStream()
                        .map(entry -> new Stored(
                                scene.path("id").asText(),
                                entry.path("path").asText(),
                                Bytes.ofUtf8(entry.path("value").asText().strip()))))
                .toList();
    }

    static Stored stored(String scene, String object) {
        return stored().stream()
                .filter(entry -> entry.scene().equals(scene) && entry.path().equals(PATH + object))
                .findFirst()
                .orElseThrow();
    }

    /// A tree as this product reads trees, where numbers keep their spelling.
    static ObjectNode tree(JsonNode node) {
        return Json.readObject("golden", Bytes.ofUtf8(node.toString()));
    }
}
