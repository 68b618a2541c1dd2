package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeName;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/// Decides what becomes of the objects of Cilium that users write, as an API server does.
public final class CiliumObjects {

    static final String METADATA = "metadata";
    static final String SPEC = "spec";
    static final String STATUS = "status";

    /// The metadata that users write.
    private static final List<String> WRITTEN_METADATA =
            List.of("annotations", "finalizers", "labels", "ownerReferences");

    private CiliumObjects() {}

    /// An object as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    public record Given(CiliumKind kind, ObjectNode json, UUID uid, Instant now) {

        public Given {
            json = json.deepCopy();
        }

        String name() {
            return json.path(METADATA).path("name").asText("");
        }

        private String key() {
            return kind.key(name());
        }
    }

    /// Creates the object, or has it take the place of the stored one.
    public static Decision<DocumentChange, CiliumOutcome> apply(CiliumStock stock, Given given) {
        var stored = stock.find(given.key());
        return stored.isPresent()
                ? readable(given, () -> update(stock, given, stored.get()))
                : readable(given, () -> creation(stock, given));
    }

    /// Creates the object, which must not be there.
    public static Decision<DocumentChange, CiliumOutcome> create(CiliumStock stock, Given given) {
        return stock.find(given.key()).isPresent()
                ? refused("%s already exists".formatted(given.kind().named(given.name())))
                : readable(given, () -> creation(stock, given));
    }

    /// What remains to be decided on an object that can be read.
    @FunctionalInterface
    private interface Rest {
        Decision<DocumentChange, CiliumOutcome> decide();
    }

    private static Decision<DocumentChange, CiliumOutcome> readable(Given given, Rest rest) {
        try {
            return rest.decide();
        } catch (UnreadableDocumentException malformed) {
            return invalid(given, List.of(malformed.fault()));
        }
    }

    private static Decision<DocumentChange, CiliumOutcome> creation(CiliumStock stock, Given given) {
        if (NodeName.fault(given.name()).isPresent()) {
            return invalid(
                    given,
                    List.of("metadata.name: Invalid value: \"%s\": it is not a lower case RFC 1123 subdomain"
                            .formatted(given.name())));
        }
        var json = Json.emptyObject();
        json.put("apiVersion", given.kind().traits().apiVersion())
                .put("kind", given.kind().word());
        json.putObject(METADATA)
                .put("creationTimestamp", time(given.now()))
                .put("generation", 1)
                .put("name", given.name())
                .put("uid", given.uid().toString());
        write(given, json);
        var broken = given.kind().broken(stock, given.name(), json);
        if (!broken.isEmpty()) {
            return invalid(given, broken);
        }
        return new Decision<>(
                new CiliumOutcome.Created(),
                List.of(new DocumentChange.Put(given.key(), Json.write(json), "create " + given.key())),
                List.of());
    }

    private static Decision<DocumentChange, CiliumOutcome> update(CiliumStock stock, Given given, Document stored) {
        var before = Json.readObject(stored.key(), stored.value());
        var json = before.deepCopy();
        write(given, json);
        var broken = given.kind().broken(stock, given.name(), json, before);
        if (!broken.isEmpty()) {
            return invalid(given, broken);
        }
        var content = Json.write(json);
        if (Json.readObject(stored.key(), content).equals(before)) {
            return new Decision<>(new CiliumOutcome.Unchanged(), List.of(), List.of());
        }
        return new Decision<>(
                new CiliumOutcome.Configured(),
                List.of(new DocumentChange.Put(stored.key(), content, "update " + stored.key())),
                List.of());
    }

    /// Writes what users may set over an object. The status is not theirs.
    private static void write(Given given, ObjectNode json) {
        var reader = new Fields(given.key());
        var metadata = (ObjectNode) json.path(METADATA);
        var own = reader.object(given.json(), METADATA);
        for (var field : WRITTEN_METADATA) {
            if (own.path(field).isEmpty()) {
                metadata.remove(field);
            } else {
                metadata.set(field, own.path(field).deepCopy());
            }
        }
        json.set(SPEC, reader.object(given.json(), SPEC).deepCopy());
    }

    /// Deletes an object.
    public static Decision<DocumentChange, CiliumOutcome> remove(CiliumStock stock, CiliumKind kind, String name) {
        var key = kind.key(name);
        return stock.find(key).isEmpty()
                ? refused("%s not found".formatted(kind.named(name)))
                : new Decision<>(
                        new CiliumOutcome.Deleted(), List.of(new DocumentChange.Drop(key, "delete " + key)), List.of());
    }

    private static Decision<DocumentChange, CiliumOutcome> invalid(Given given, List<String> broken) {
        var rules = broken.size() == 1 ? broken.getFirst() : "[" + String.join(", ", broken) + "]";
        return refused("%s is invalid: %s".formatted(given.kind().named(given.name()), rules));
    }

    private static Decision<DocumentChange, CiliumOutcome> refused(String sentence) {
        return new Decision<>(new CiliumOutcome.Refused(sentence), List.of(), List.of());
    }

    private static String time(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }
}
