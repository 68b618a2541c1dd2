package io.cadastre.datastore.kubernetes;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Any document in an object of a test's own kind: the name is a digest of the key, and the value stands
/// in base 64, so that keys and values may be anything.
///
/// Keys under `note/` are of a kind without tombstones, if the map has it; keys under `team/` carry their
/// team as a label; keys under `nowhere/` have no object.
record DocumentsMap(String namespace, boolean withNotes) implements ResourceMap {

    static final ApiResource DOCUMENTS =
            new ApiResource("cadastre.test", "v1", "documents", "Document", Reach.NAMESPACED, Removal.MARKED_FIRST);

    static final ApiResource NOTES =
            new ApiResource("cadastre.test", "v1", "notes", "Note", Reach.NAMESPACED, Removal.AT_ONCE);

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    static DocumentsMap in(String namespace) {
        return new DocumentsMap(namespace, false);
    }

    @Override
    public Optional<ObjectName> locate(String key) {
        return key.startsWith("nowhere/")
                ? Optional.empty()
                : Optional.of(new ObjectName(resource(key), namespace, digest(key)));
    }

    @Override
    public List<Scope> scopes(String prefix) {
        if (withNotes && prefix.startsWith("note/")) {
            return List.of(new Scope(NOTES, namespace, ""));
        }
        var team = team(prefix);
        if (team.isPresent()) {
            return List.of(new Scope(DOCUMENTS, namespace, "team=" + team.get()));
        }
        var documents = new Scope(DOCUMENTS, namespace, "");
        return withNotes && "note/".startsWith(prefix)
                ? List.of(documents, new Scope(NOTES, namespace, ""))
                : List.of(documents);
    }

    @Override
    public Content read(ApiResource resource, Bytes object) {
        var spec = parse(object).path("spec");
        var key = spec.path("key").textValue();
        if (key == null) {
            return new Content.Foreign();
        }
        return spec.path("deleted").booleanValue()
                ? new Content.Tombstone(key)
                : new Content.Present(
                        key,
                        Bytes.of(Base64.getDecoder().decode(spec.path("value").textValue())));
    }

    @Override
    public Bytes create(String key, Bytes value) {
        var object = JSON.createObjectNode();
        object.put("apiVersion", "cadastre.test/v1").put("kind", resource(key).kind());
        var metadata = object.putObject("metadata");
        metadata.put("namespace", namespace).put("name", digest(key));
        team(key).ifPresent(team -> metadata.putObject("labels").put("team", team));
        object.putObject("spec").put("key", key).put("value", encoded(value));
        return bytes(object);
    }

    @Override
    public Bytes update(Bytes current, String key, Bytes value) {
        var object = parse(current);
        ((ObjectNode) object.path("spec")).put("value", encoded(value));
        return bytes(object);
    }

    @Override
    public Bytes tombstone(ApiResource resource, Bytes current) {
        var object = parse(current);
        ((ObjectNode) object.path("spec")).put("deleted", true);
        return bytes(object);
    }

    private ApiResource resource(String key) {
        return withNotes && key.startsWith("note/") ? NOTES : DOCUMENTS;
    }

    private static Optional<String> team(String text) {
        var words = text.split("/", -1);
        return words.length > 2 && words[0].equals("team") ? Optional.of(words[1]) : Optional.empty();
    }

    static String digest(String key) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String encoded(Bytes value) {
        return Base64.getEncoder().encodeToString(value.toByteArray());
    }

    private static ObjectNode parse(Bytes object) {
        try {
            return (ObjectNode) JSON.readTree(object.toByteArray());
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    private static Bytes bytes(ObjectNode object) {
        try {
            return Bytes.of(JSON.writeValueAsBytes(object));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
