package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What Calico left in etcd after certain operations.
final class CalicoGolden {

    private CalicoGolden() {}

    /// One document of one scene.
    record Written(String scene, String key, String value) {

        /// Names a test for it.
        @Override
        public String toString() {
            return scene + " " + key;
        }
    }

    static List<Written> all() {
        return read("/calico/etcd-golden.json")
                .get("scenes")
                .valueStream()
                .flatMap(scene -> scene.get("entries")
                        .valueStream()
                        .map(entry -> new Written(
                                scene.get("id").textValue(),
                                entry.get("key").textValue(),
                                entry.get("value").textValue())))
                .toList();
    }

    /// The documents of one scene, by key.
    static Map<String, String> scene(String id) {
        var documents = new LinkedHashMap<String, String>();
        for (var written : all()) {
            if (written.scene().equals(id)) {
                documents.put(written.key(), written.value());
            }
        }
        return documents;
    }

    static String value(String scene, CalicoKey key) {
        return Objects.requireNonNull(scene(scene).get(key.text()));
    }

    static JsonNode read(String resource) {
        try (var stream = CalicoGolden.class.getResourceAsStream(resource)) {
            return new ObjectMapper().readTree(Objects.requireNonNull(stream));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
