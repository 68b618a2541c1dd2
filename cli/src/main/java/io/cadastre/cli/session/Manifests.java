package io.cadastre.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.datastore.Datastore;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Documents that a user wrote: YAML or JSON, one or several, also in a `List`.
public final class Manifests {

    private static final int BYTES_MAX = 16 * Datastore.VALUE_BYTES_MAX;
    private static final int DOCUMENTS_MAX = 10_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Manifests() {}

    /// Reads a file.
    ///
    /// @param file where they are; `-` is what is piped in
    /// @throws UsageException if they cannot be read
    public static List<ObjectNode> read(String file, InputStream pipe) {
        try (var stream = file.equals("-") ? pipe : new FileInputStream(file)) {
            return parse(file, text(file, stream));
        } catch (IOException unreadable) {
            throw new UsageException("%s cannot be read: %s".formatted(file, unreadable.getMessage()));
        }
    }

    private static String text(String file, InputStream stream) throws IOException {
        var bytes = stream.readNBytes(BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
            throw new UsageException("%s has more than %d bytes".formatted(file, BYTES_MAX));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static List<ObjectNode> parse(String file, String text) {
        var settings = LoadSettings.builder()
                .setLabel(file)
                .setSchema(new CoreSchema())
                .setCodePointLimit(BYTES_MAX)
                .build();
        var documents = new ArrayList<ObjectNode>();
        try {
            new ManifestBounds(file).check(new Parse(settings).parseString(text));
            for (var loaded : new Load(settings).loadAllFromString(text)) {
                if (loaded != null) {
                    add(file, documents, whole(MAPPER.valueToTree(loaded)));
                }
            }
        } catch (YamlEngineException | IllegalArgumentException malformed) {
            throw new UsageException("%s is neither YAML nor JSON: %s".formatted(file, malformed.getMessage()));
        }
        if (documents.isEmpty()) {
            throw new UsageException("%s has no document".formatted(file));
        }
        return documents;
    }

    /// The document with whole numbers where a user wrote `28.0`: Go's readers of YAML make JSON first,
    /// which has one kind of number.
    private static JsonNode whole(JsonNode node) {
        switch (node) {
            case ObjectNode object -> object.properties().forEach(f -> f.setValue(whole(f.getValue())));
            case ArrayNode array -> {
                for (int index = 0; index < array.size(); index++) {
                    array.set(index, whole(array.get(index)));
                }
            }
            case NumericNode number
            when number.isFloatingPointNumber()
                    && number.doubleValue() == Math.rint(number.doubleValue())
                    && Math.abs(number.doubleValue()) < Long.MAX_VALUE -> {
                return LongNode.valueOf((long) number.doubleValue());
            }
            default -> {}
        }
        return node;
    }

    private static void add(String file, List<ObjectNode> documents, JsonNode document) {
        if (!(document instanceof ObjectNode object)) {
            throw new UsageException("%s has a document that is not an object".formatted(file));
        }
        if (object.path("kind").asText().endsWith("List")
                && object.path("items").isArray()) {
            for (var item : object.path("items")) {
                add(file, documents, item);
            }
        } else if (documents.size() == DOCUMENTS_MAX) {
            throw new UsageException("%s has more than %d documents".formatted(file, DOCUMENTS_MAX));
        } else {
            documents.add(object);
        }
    }
}
