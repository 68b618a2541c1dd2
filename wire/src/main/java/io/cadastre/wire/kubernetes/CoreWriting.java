package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Decides what becomes of Pods, Namespaces and Nodes that users write where there is no cluster.
///
/// The CIDRs of a Node are those that were given to it: users do not write them, and a Node that has some is not
/// deleted.
public final class CoreWriting {

    private static final String METADATA = "metadata";
    private static final String UID = "uid";
    private static final String CREATED = "creationTimestamp";

    private static final List<String> SERVERS_OWN = List.of("resourceVersion", "managedFields");
    private static final List<String> CIDRS = List.of("podCIDR", "podCIDRs");

    private CoreWriting() {}

    /// An object as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new and names none
    public record Given(CoreKind kind, ObjectNode json, UUID uid, Instant now) {

        public Given {
            json = json.deepCopy();
        }

        /// The name in commands.
        public String name() {
            var metadata = json.path(METADATA);
            var name = metadata.path("name").asText("");
            return kind.namespaced() ? metadata.path("namespace").asText("default") + "/" + name : name;
        }

        public String key() {
            return kind.key(name());
        }
    }

    /// Creates the object, or has it take the place of the stored one.
    public static Decision<DocumentChange, CoreOutcome> apply(CoreBook.Stored stored, Given given) {
        return written(stored.find(), given);
    }

    /// Creates the object, which must not be there.
    public static Decision<DocumentChange, CoreOutcome> create(CoreBook.Stored stored, Given given) {
        return stored.find().isPresent()
                ? refused("%s already exists".formatted(named(given.kind(), given.name())))
                : written(stored.find(), given);
    }

    private static Decision<DocumentChange, CoreOutcome> written(Optional<Document> stored, Given given) {
        try {
            for (var name : names(given)) {
                if (NodeName.fault(name).isPresent()) {
                    return invalid(given, "'%s' is not a lower case RFC 1123 subdomain".formatted(name));
                }
            }
            var former = stored.map(document -> Json.readObject(document.key(), document.value()))
                    .orElseGet(Json::emptyObject);
            return decided(stored, former, given);
        } catch (UnreadableDocumentException malformed) {
            return invalid(given, malformed.fault());
        }
    }

    /// The name and, if it is given where it counts, the namespace. Neither is looked for in the key, where a slash
    /// divides them.
    private static List<String> names(Given given) {
        var reader = new Fields(given.key());
        var metadata = reader.object(given.json(), METADATA);
        var name = reader.text(metadata, "name");
        return given.kind().namespaced() && !Fields.absent(metadata.path("namespace"))
                ? List.of(name, reader.text(metadata, "namespace"))
                : List.of(name);
    }

    private static Decision<DocumentChange, CoreOutcome> decided(
            Optional<Document> stored, ObjectNode former, Given given) {
        var reader = new Fields(given.key());
        var json = given.json().deepCopy();
        var before = reader.object(former, METADATA);
        var metadata = reader.object(json, METADATA).deepCopy();
        metadata.remove(SERVERS_OWN);
        var uid = reader.text(metadata, UID);
        var formerUid = reader.text(before, UID);
        if (!uid.isEmpty() && !formerUid.isEmpty() && !uid.equals(formerUid)) {
            return invalid(
                    given,
                    "metadata.uid is %s, and the one that is stored has %s: it is another object; delete that first"
                            .formatted(uid, formerUid));
        }
        if (uid.isEmpty()) {
            metadata.put(UID, formerUid.isEmpty() ? given.uid().toString() : formerUid);
        }
        var created = reader.text(before, CREATED);
        metadata.put(
                CREATED,
                created.isEmpty() ? given.now().truncatedTo(ChronoUnit.SECONDS).toString() : created);
        if (given.kind().namespaced()) {
            metadata.put("namespace", given.name().substring(0, given.name().indexOf('/')));
        } else if (!reader.text(metadata, "namespace").isEmpty()) {
            return invalid(
                    given,
                    "metadata.namespace: a %s is in no namespace"
                            .formatted(given.kind().word()));
        }
        json.set(METADATA, metadata);
        if (given.kind().equals(CoreKind.NODE) && !keepsCidrs(reader, json, former)) {
            return invalid(given, "spec.podCIDRs: CIDRs are given by 'cadastre node-cidr add'");
        }
        var content = Json.write(json);
        if (Json.readObject(given.key(), content).equals(former)) {
            return new Decision<>(new CoreOutcome.Unchanged(), List.of(), List.of());
        }
        var word = stored.isPresent() ? "update " : "create ";
        return new Decision<>(
                stored.isPresent() ? new CoreOutcome.Configured() : new CoreOutcome.Created(),
                List.of(new DocumentChange.Put(given.key(), content, word + given.key())),
                List.of());
    }

    /// Whether the document says nothing else of the CIDRs than what was given; they are put into it.
    private static boolean keepsCidrs(Fields reader, ObjectNode json, ObjectNode former) {
        var before = reader.object(former, "spec");
        var spec = reader.object(json, "spec").deepCopy();
        for (var field : CIDRS) {
            if (!Fields.absent(spec.path(field)) && !spec.path(field).equals(before.path(field))) {
                return false;
            }
            if (!Fields.absent(before.path(field))) {
                spec.set(field, before.path(field));
            }
        }
        if (!spec.isEmpty()) {
            json.set("spec", spec);
        }
        return true;
    }

    /// Deletes the object.
    public static Decision<DocumentChange, CoreOutcome> remove(CoreBook.Stored stored, CoreKind kind, String name) {
        var found = stored.find();
        if (found.isEmpty()) {
            return refused("%s not found".formatted(named(kind, name)));
        }
        var key = found.get().key();
        if (kind.equals(CoreKind.NODE)) {
            var spec = Json.readObject(key, found.get().value()).path("spec");
            if (CIDRS.stream()
                    .anyMatch(field -> !spec.path(field).isEmpty()
                            || !spec.path(field).asText("").isEmpty())) {
                return refused("%s has CIDRs; take them back with 'cadastre node-cidr remove %s' first"
                        .formatted(named(kind, name), name));
            }
        }
        return new Decision<>(
                new CoreOutcome.Deleted(), List.of(new DocumentChange.Drop(key, "delete " + key)), List.of());
    }

    private static Decision<DocumentChange, CoreOutcome> invalid(Given given, String fault) {
        return refused("%s is invalid: %s".formatted(named(given.kind(), given.name()), fault));
    }

    private static String named(CoreKind kind, String name) {
        return "%s \"%s\"".formatted(kind.word(), name);
    }

    private static Decision<DocumentChange, CoreOutcome> refused(String sentence) {
        return new Decision<>(new CoreOutcome.Refused(sentence), List.of(), List.of());
    }
}
