package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Decision;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/// Decides what becomes of resources.
public final class Resources {

    private static final String METADATA = "metadata";
    private static final String SPEC = "spec";
    private static final String VERSION = "resourceVersion";

    private Resources() {}

    /// A resource as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    public record Given(CalicoKind kind, ObjectNode json, UUID uid, Instant now) {

        public Given {
            json = json.deepCopy();
        }

        /// The name in the document; empty if it has none.
        public String name() {
            return json.path(METADATA).path("name").asText("");
        }

        private String key() {
            return kind.key(name());
        }

        private String named() {
            return kind.named(name());
        }

        private String version() {
            return json.path(METADATA).path(VERSION).asText("");
        }

        /// The document as it may be stored: the store sets its revision.
        private ObjectNode content() {
            var content = json.deepCopy();
            if (content.get(METADATA) instanceof ObjectNode metadata) {
                metadata.remove(VERSION);
            }
            return content;
        }
    }

    /// Creates the resource, or has it take the place of the stored one.
    public static Decision<DocumentChange, Applied> apply(ResourceView view, Given given) {
        return checked(given, () -> applied(view, given));
    }

    /// Creates the resource, which must not be there.
    public static Decision<DocumentChange, Applied> create(ResourceView view, Given given) {
        return checked(
                given,
                () -> view.find(given.kind(), given.name()).isPresent()
                        ? decided(new Applied.AlreadyThere(given.named()))
                        : creation(view, given));
    }

    private static Decision<DocumentChange, Applied> applied(ResourceView view, Given given) {
        var stored = view.find(given.kind(), given.name());
        return stored.isPresent() ? update(given, stored.get()) : creation(view, given);
    }

    /// What a document comes to that has no fault by itself.
    private static Decision<DocumentChange, Applied> checked(
            Given given, Supplier<Decision<DocumentChange, Applied>> decision) {
        var nameFault = ResourceName.fault(given.name());
        if (nameFault.isPresent()) {
            return decided(new Applied.Invalid(List.of(nameFault.get())));
        }
        try {
            var faults = given.kind().faults(new Fields(given.key()), given.json());
            if (!faults.isEmpty()) {
                return decided(new Applied.Invalid(faults));
            }
            return decision.get();
        } catch (UnreadableDocumentException malformed) {
            return decided(new Applied.Invalid(List.of(ResourceFault.ofSpec(malformed.fault()))));
        }
    }

    private static Decision<DocumentChange, Applied> creation(ResourceView view, Given given) {
        if (!given.version().isEmpty()) {
            return decided(new Applied.Invalid(List.of(new ResourceFault(
                    "Metadata.ResourceVersion", given.version(), "field must not be set for a Create request"))));
        }
        var kind = given.kind();
        var json = kind.create(given.name(), given.content(), given.uid(), given.now());
        var content = kind.decode(given.key(), Json.write(json));
        var faults = kind.faultsOfCreation(view, given.name(), content);
        if (!faults.isEmpty()) {
            return decided(new Applied.Invalid(faults));
        }
        return new Decision<>(new Applied.Created(), List.of(creating(kind, given.name(), content)), List.of());
    }

    private static Decision<DocumentChange, Applied> update(Given given, StoredResource stored) {
        if (!given.version().isEmpty()
                && !given.version().equals(Long.toString(stored.stored().revision()))) {
            return decided(new Applied.Outdated(given.named()));
        }
        var kind = given.kind();
        var json = kind.replace(given.name(), given.content(), stored.json());
        var content = kind.decode(given.key(), Json.write(json));
        var faults = kind.faultsOfUpdate(given.name(), stored.content(), content);
        if (!faults.isEmpty()) {
            return decided(new Applied.Invalid(faults));
        }
        // Some stores have an order of fields of their own.
        if (Json.readObject(given.key(), content).equals(stored.json())) {
            return decided(new Applied.Unchanged());
        }
        return new Decision<>(new Applied.Configured(), List.of(rewriting(kind, given.name(), content)), List.of());
    }

    /// Marks a pool as one that gives nothing new.
    public static Decision<DocumentChange, Removed> disable(ResourceView view, String pool) {
        var kind = CalicoKinds.POOL;
        var stored = view.find(kind, pool);
        if (stored.isEmpty()) {
            return decided(new Removed.NotThere(kind.named(pool)));
        }
        var json = stored.get().json();
        if (!(json.get(SPEC) instanceof ObjectNode spec)
                || spec.path("disabled").asBoolean()) {
            return decided(new Removed.Done());
        }
        spec.put("disabled", true);
        var content = Json.write(kind.replace(pool, json, json));
        return new Decision<>(new Removed.Done(), List.of(rewriting(kind, pool, content)), List.of());
    }

    /// Deletes a resource. A pool must have been disabled and its blocks given up before.
    public static Decision<DocumentChange, Removed> remove(ResourceView view, CalicoKind kind, String name) {
        return view.find(kind, name)
                .map(stored -> new Decision<DocumentChange, Removed>(
                        new Removed.Done(), List.of(deleting(kind, name, stored.content())), List.of()))
                .orElseGet(() -> decided(new Removed.NotThere(kind.named(name))));
    }

    static DocumentChange creating(CalicoKind kind, String name, Bytes content) {
        return new DocumentChange.Put(
                kind.key(name), content, "create %s %s".formatted(kind.word(), name), kind.holdings(name, content));
    }

    /// What a pool spans does not change.
    private static DocumentChange rewriting(CalicoKind kind, String name, Bytes content) {
        return new DocumentChange.Put(kind.key(name), content, "rewrite %s %s".formatted(kind.word(), name));
    }

    static DocumentChange deleting(CalicoKind kind, String name, Bytes content) {
        return new DocumentChange.Drop(
                kind.key(name), "delete %s %s".formatted(kind.word(), name), kind.holdings(name, content));
    }

    private static <O> Decision<DocumentChange, O> decided(O outcome) {
        return new Decision<>(outcome, List.of(), List.of());
    }
}
