package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Decides what becomes of pools and reserved addresses that people write, as Spiderpool's webhooks do.
public final class SpiderObjects {

    private static final GoStruct SELECTOR =
            GoStruct.of("matchLabels").with("matchExpressions", GoStruct.of("key", "operator", "values"));

    private static final GoStruct POOL_SPEC = GoStruct.of(
                    "default",
                    "disable",
                    "excludeIPs",
                    "gateway",
                    "ipVersion",
                    "ips",
                    "multusName",
                    "namespaceName",
                    "nodeName",
                    "subnet")
            .with("namespaceAffinity", SELECTOR)
            .with("nodeAffinity", SELECTOR)
            .with("podAffinity", SELECTOR)
            .with("routes", GoStruct.of("dst", "gw"));

    private static final GoStruct RESERVED_SPEC = GoStruct.of("ipVersion", "ips");

    /// What people say of an object beside its spec.
    private static final List<String> WRITTEN_METADATA = List.of("annotations", "labels");

    private SpiderObjects() {}

    /// The kinds that people write.
    public enum Kind {
        POOL(SpiderPoolDocument.KIND, SpiderKeys.POOLS),
        RESERVED(ReservedDocument.KIND, SpiderKeys.RESERVED);

        private final String word;
        private final String keys;

        Kind(String word, String keys) {
            this.word = word;
            this.keys = keys;
        }

        private GoStruct spec() {
            return switch (this) {
                case POOL -> POOL_SPEC;
                case RESERVED -> RESERVED_SPEC;
            };
        }

        /// The fields that a document of this kind may have.
        public GoStruct struct() {
            return GoStruct.KUBERNETES_OBJECT
                    .with("spec", spec())
                    .with("status", GoStruct.of("allocatedIPs", "totalIPCount", "allocatedIPCount"));
        }

        String key(String name) {
            return keys + name;
        }

        private ObjectOutcome.Refused notFound(String name) {
            return new ObjectOutcome.Refused("%s.spiderpool.spidernet.io \"%s\" not found".formatted(word, name));
        }
    }

    /// An object as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    /// @param families those that are given at all
    public record Given(Kind kind, ObjectNode json, UUID uid, Instant now, List<Family> families) {

        public Given {
            json = json.deepCopy();
            families = List.copyOf(families);
        }

        /// The name in the document; empty if it has none.
        public String name() {
            return json.path(Trees.METADATA).path("name").asText("");
        }

        private String key() {
            return kind.key(name());
        }
    }

    /// Creates the object, or has it take the place of the stored one.
    public static Decision<ObjectChange, ObjectOutcome> apply(ObjectView view, Given given) {
        return checked(
                given,
                view.find(given.key()).isPresent()
                        ? () -> update(view, given, view.find(given.key()).orElseThrow())
                        : () -> creation(view, given));
    }

    /// Creates the object, which must not be there.
    public static Decision<ObjectChange, ObjectOutcome> create(ObjectView view, Given given) {
        return checked(
                given,
                view.find(given.key()).isPresent()
                        ? () -> decided(new ObjectOutcome.Refused("%s.spiderpool.spidernet.io \"%s\" already exists"
                                .formatted(given.kind().word, given.name())))
                        : () -> creation(view, given));
    }

    /// What remains to be decided on an object that can be read.
    @FunctionalInterface
    private interface Rest {
        Decision<ObjectChange, ObjectOutcome> decide();
    }

    private static Decision<ObjectChange, ObjectOutcome> checked(Given given, Rest rest) {
        var nameFault = NodeName.fault(given.name());
        if (nameFault.isPresent()) {
            return decided(ObjectOutcome.invalid(
                    given.kind().word,
                    given.name(),
                    List.of(ObjectFault.invalid(
                            "metadata.name", given.name(), "it is not a lower case RFC 1123 subdomain"))));
        }
        try {
            return rest.decide();
        } catch (UnreadableDocumentException malformed) {
            return decided(new ObjectOutcome.Refused("%s.spiderpool.spidernet.io \"%s\" is invalid: %s"
                    .formatted(given.kind().word, given.name(), malformed.fault())));
        }
    }

    private static Decision<ObjectChange, ObjectOutcome> creation(ObjectView view, Given given) {
        var json = Json.emptyObject();
        json.put("apiVersion", SpiderKeys.API_VERSION).put("kind", given.kind().word);
        var metadata = json.putObject(Trees.METADATA);
        metadata.put("creationTimestamp", Trees.time(given.now()));
        metadata.put("name", given.name()).put("uid", given.uid().toString());
        write(given, json);
        var faults =
                switch (given.kind()) {
                    case POOL -> SpiderPoolRules.faultsOfCreation(json, view.poolsBut(given.name()), given.families());
                    case RESERVED -> ReservedRules.faults(json, given.families());
                };
        if (faults.isEmpty() && given.kind() == Kind.POOL) {
            faults = heldElsewhere(view, given, json, RangeSet.EMPTY);
        }
        if (!faults.isEmpty()) {
            return decided(ObjectOutcome.invalid(given.kind().word, given.name(), faults));
        }
        return new Decision<>(
                new ObjectOutcome.Created(),
                List.of(new ObjectChange.Create(given.key(), content(given, json))),
                List.of());
    }

    /// Writes what people may say over an object, and completes it. What they may not say is left out.
    private static void write(Given given, ObjectNode json) {
        var metadata = Trees.child(json, Trees.METADATA);
        var said = new Fields(given.key()).object(given.json(), Trees.METADATA);
        for (var field : WRITTEN_METADATA) {
            metadata.remove(field);
            if (!Fields.absent(said.path(field))) {
                metadata.set(field, said.path(field).deepCopy());
            }
        }
        var spec = new Fields(given.key()).object(given.json(), Trees.SPEC).deepCopy();
        spec.retain(given.kind().spec().names());
        json.set(Trees.SPEC, spec);
        switch (given.kind()) {
            case POOL -> SpiderPoolRules.complete(json);
            case RESERVED -> ReservedRules.complete(json);
        }
    }

    /// The object as it is stored, which must be one that can be read.
    private static Bytes content(Given given, ObjectNode json) {
        var sorted = Trees.sorted(json);
        return switch (given.kind()) {
            case POOL -> SpiderPoolDocument.of(given.name(), sorted).counted().encode();
            case RESERVED -> ReservedDocument.of(given.name(), sorted).encode();
        };
    }

    private static Decision<ObjectChange, ObjectOutcome> update(ObjectView view, Given given, Document stored) {
        var before = Json.readObject(stored.key(), stored.value());
        if (Trees.terminating(before)) {
            var word = given.kind() == Kind.POOL ? "IPPool" : "ReservedIP";
            return decided(new ObjectOutcome.Refused(
                    "%s.spiderpool.spidernet.io \"%s\" is forbidden: cannot update a terminating %s"
                            .formatted(given.kind().word, given.name(), word)));
        }
        var json = before.deepCopy();
        write(given, json);
        var faults =
                switch (given.kind()) {
                    case POOL ->
                        SpiderPoolRules.faultsOfUpdate(
                                json,
                                SpiderPoolDocument.of(given.name(), before).pool(),
                                view.poolsBut(given.name()),
                                given.families());
                    case RESERVED -> faultsOfReserved(given, json, before);
                };
        if (faults.isEmpty() && given.kind() == Kind.POOL) {
            var had = SpiderPoolDocument.of(given.name(), before).pool().spec().effective();
            faults = heldElsewhere(view, given, json, had);
        }
        if (!faults.isEmpty()) {
            return decided(ObjectOutcome.invalid(given.kind().word, given.name(), faults));
        }
        var content = content(given, json);
        if (Trees.sorted(before).equals(Trees.sorted(Json.readObject(stored.key(), content)))) {
            return decided(new ObjectOutcome.Unchanged());
        }
        return new Decision<>(
                new ObjectOutcome.Configured(), List.of(new ObjectChange.Update(stored, content)), List.of());
    }

    /// Addresses that the pool did not have before and that another dialect gives.
    private static List<ObjectFault> heldElsewhere(ObjectView view, Given given, ObjectNode json, RangeSet had) {
        var more = SpiderRanges.of(
                given.name(),
                SpiderPoolDocument.of(given.name(), json)
                        .pool()
                        .spec()
                        .effective()
                        .minus(had));
        return view.neighbours().stream()
                .filter(neighbour -> more.stream().anyMatch(one -> one.range().overlaps(neighbour.range())))
                .map(neighbour -> ObjectFault.forbidden(
                        "spec.ips",
                        "SpiderIPPool(%1$s) overlaps with %2$s %3$s: no two dialects in one store may give addresses of one range; choose other addresses, or %4$s %2$s first"
                                .formatted(
                                        given.name(),
                                        neighbour.holder(),
                                        neighbour.range(),
                                        neighbour.level() == Holding.Level.NODE
                                                ? "release the addresses of"
                                                : "delete")))
                .toList();
    }

    private static List<ObjectFault> faultsOfReserved(Given given, ObjectNode json, ObjectNode before) {
        var faults = ReservedRules.faults(json, given.families());
        return faults.isEmpty() ? ReservedRules.faultsOfUpdate(json, before) : faults;
    }

    /// Deletes an object. A pool with addresses in use gives nothing any more and is deleted with the last
    /// of them.
    public static Decision<ObjectChange, ObjectOutcome> remove(ObjectView view, Kind kind, String name, Instant now) {
        var found = view.find(kind.key(name));
        if (found.isEmpty()) {
            return decided(kind.notFound(name));
        }
        var stored = found.get();
        if (kind == Kind.POOL) {
            var pool = SpiderPoolDocument.decode(name, stored.value());
            if (!pool.pool().damage().isEmpty()) {
                return decided(new ObjectOutcome.Refused("nobody can tell who has addresses of IPPool %s: %s"
                        .formatted(name, pool.pool().damage())));
            }
            int records = pool.pool().records().size();
            if (records > 0) {
                return new Decision<>(
                        new ObjectOutcome.Terminating(records),
                        pool.pool().terminating()
                                ? List.of()
                                : List.of(new ObjectChange.Update(stored, ending(pool, now))),
                        List.of());
            }
        }
        return new Decision<>(new ObjectOutcome.Deleted(), List.of(new ObjectChange.Drop(stored)), List.of());
    }

    private static Bytes ending(SpiderPoolDocument pool, Instant now) {
        var json = pool.json();
        Trees.child(json, Trees.METADATA)
                .put("deletionGracePeriodSeconds", 0)
                .put("deletionTimestamp", Trees.time(now));
        return Json.write(Trees.sorted(json));
    }

    private static Decision<ObjectChange, ObjectOutcome> decided(ObjectOutcome outcome) {
        return new Decision<>(outcome, List.of(), List.of());
    }
}
