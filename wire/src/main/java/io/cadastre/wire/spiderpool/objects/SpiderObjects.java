package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Decides what becomes of pools, subnets and reserved addresses that users write, as Spiderpool's webhooks do.
public final class SpiderObjects {

    /// The metadata that users write.
    private static final List<String> WRITTEN_METADATA = List.of("annotations", "labels");

    private SpiderObjects() {}

    /// An object as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    /// @param families those that are given at all
    /// @param subnets whether subnets control pools
    public record Given(
            SpiderKind kind, ObjectNode json, UUID uid, Instant now, List<Family> families, SubnetUse subnets) {

        public Given {
            json = json.deepCopy();
            families = List.copyOf(families);
        }

        /// Where subnets control pools, as Spiderpool does by default.
        public Given(SpiderKind kind, ObjectNode json, UUID uid, Instant now, List<Family> families) {
            this(kind, json, uid, now, families, SubnetUse.ON);
        }

        /// The name in commands, by the document; empty if it has none. A kind in namespaces has a slash in it.
        public String name() {
            return kind.namespaced() ? namespace() + "/" + ownName() : ownName();
        }

        private String ownName() {
            return json.path(Trees.METADATA).path("name").asText("");
        }

        private String namespace() {
            return json.path(Trees.METADATA).path("namespace").asText("default");
        }

        private boolean isNamed() {
            return NodeName.fault(ownName()).isEmpty()
                    && (!kind.namespaced() || NodeName.fault(namespace()).isEmpty());
        }

        private String key() {
            return kind.key(name());
        }

        private Bytes encode(ObjectView view, ObjectNode json) {
            var sorted = Trees.sorted(json);
            return kind.encode(
                    name(),
                    switch (view.host()) {
                        case API_SERVER -> sorted;
                        case DOCUMENTS -> kind.counted(name(), sorted);
                    });
        }
    }

    /// Whether subnets control pools.
    public enum SubnetUse {
        ON,
        OFF
    }

    /// Creates the object, or has it take the place of the stored one.
    public static Decision<DocumentChange, ObjectOutcome> apply(ObjectView view, Given given) {
        return checked(
                given,
                view.find(given.key()).isPresent()
                        ? () -> update(view, given, view.find(given.key()).orElseThrow())
                        : () -> creation(view, given));
    }

    /// Creates the object, which must not be there.
    public static Decision<DocumentChange, ObjectOutcome> create(ObjectView view, Given given) {
        return checked(
                given,
                view.find(given.key()).isPresent()
                        ? () -> decided(ObjectOutcome.taken(given.kind(), given.name()))
                        : () -> creation(view, given));
    }

    /// What remains to be decided on an object that can be read.
    @FunctionalInterface
    private interface Rest {
        Decision<DocumentChange, ObjectOutcome> decide();
    }

    private static Decision<DocumentChange, ObjectOutcome> checked(Given given, Rest rest) {
        if (!given.isNamed()) {
            return decided(ObjectOutcome.invalid(
                    given.kind().word(),
                    given.name(),
                    List.of(ObjectFault.invalid(
                            "metadata.name", given.name(), "it is not a lower case RFC 1123 subdomain"))));
        }
        try {
            return rest.decide();
        } catch (UnreadableDocumentException malformed) {
            return decided(new ObjectOutcome.Refused("%s.spiderpool.spidernet.io \"%s\" is invalid: %s"
                    .formatted(given.kind().word(), given.name(), malformed.fault())));
        }
    }

    private static Decision<DocumentChange, ObjectOutcome> creation(ObjectView view, Given given) {
        var json = Json.emptyObject();
        json.put("apiVersion", SpiderKeys.API_VERSION).put("kind", given.kind().word());
        var metadata = json.putObject(Trees.METADATA);
        metadata.put("creationTimestamp", Trees.time(given.now()));
        metadata.put("name", given.ownName());
        if (given.kind().namespaced()) {
            metadata.put("namespace", given.namespace());
        }
        metadata.put("uid", given.uid().toString());
        write(view, given, json);
        var faults = given.kind().faultsOfCreation(view, given, json);
        if (!faults.isEmpty()) {
            return decided(ObjectOutcome.invalid(given.kind().word(), given.name(), faults));
        }
        return new Decision<>(
                new ObjectOutcome.Created(),
                List.of(new DocumentChange.Put(given.key(), given.encode(view, json), "create " + given.key())),
                List.of());
    }

    /// Writes what users may set over an object, and completes it. Everything else that they give is left out.
    private static void write(ObjectView view, Given given, ObjectNode json) {
        var metadata = Trees.child(json, Trees.METADATA);
        var givenMetadata = new Fields(given.key()).object(given.json(), Trees.METADATA);
        for (var field : WRITTEN_METADATA) {
            metadata.remove(field);
            if (!Fields.absent(givenMetadata.path(field))) {
                metadata.set(field, givenMetadata.path(field).deepCopy());
            }
        }
        var spec = new Fields(given.key()).object(given.json(), Trees.SPEC).deepCopy();
        spec.retain(given.kind().specFields());
        json.set(Trees.SPEC, spec);
        given.kind().complete(view, given, json);
    }

    private static Decision<DocumentChange, ObjectOutcome> update(ObjectView view, Given given, Document stored) {
        var before = Json.readObject(stored.key(), stored.value());
        if (Trees.terminating(before)) {
            return decided(ObjectOutcome.terminating(given.kind(), given.name()));
        }
        var json = before.deepCopy();
        write(view, given, json);
        var faults = given.kind().faultsOfUpdate(view, given, json, before);
        if (!faults.isEmpty()) {
            return decided(ObjectOutcome.invalid(given.kind().word(), given.name(), faults));
        }
        var content = given.encode(view, json);
        if (Trees.sorted(before).equals(Trees.sorted(Json.readObject(stored.key(), content)))) {
            return decided(new ObjectOutcome.Unchanged());
        }
        return new Decision<>(new ObjectOutcome.Configured(), List.of(updating(stored, content)), List.of());
    }

    /// Deletes an object.
    public static Decision<DocumentChange, ObjectOutcome> remove(
            ObjectView view, SpiderKind kind, String name, Instant now) {
        return view.find(kind.key(name))
                .map(stored -> kind.remove(view, name, stored, now))
                .orElseGet(() -> decided(new ObjectOutcome.Refused(
                        "%s.spiderpool.spidernet.io \"%s\" not found".formatted(kind.word(), name))));
    }

    /// Counts in the status of an object what a controller would, where the status takes a write of its own. Once it is
    /// counted, nothing changes.
    public static Decision<DocumentChange, ObjectOutcome> count(ObjectView view, SpiderKind kind, String name) {
        var stored = view.find(kind.key(name));
        if (view.host() == ObjectView.Host.DOCUMENTS || stored.isEmpty()) {
            return decided(new ObjectOutcome.Unchanged());
        }
        var before = Json.readObject(stored.get().key(), stored.get().value());
        var content = kind.encode(name, kind.counted(name, before));
        if (Trees.sorted(before)
                .equals(Trees.sorted(Json.readObject(stored.get().key(), content)))) {
            return decided(new ObjectOutcome.Unchanged());
        }
        return new Decision<>(new ObjectOutcome.Configured(), List.of(updating(stored.get(), content)), List.of());
    }

    static DocumentChange deleting(Document stored) {
        return new DocumentChange.Drop(stored.key(), "delete " + stored.key());
    }

    static DocumentChange updating(Document stored, Bytes content) {
        return new DocumentChange.Put(stored.key(), content, "update " + stored.key());
    }

    private static Decision<DocumentChange, ObjectOutcome> decided(ObjectOutcome outcome) {
        return new Decision<>(outcome, List.of(), List.of());
    }
}
