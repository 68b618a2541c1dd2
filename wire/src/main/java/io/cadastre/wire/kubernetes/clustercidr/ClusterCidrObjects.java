package io.cadastre.wire.kubernetes.clustercidr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrStock.Ending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Decides what becomes of ClusterCIDRs that users write, as an API server does.
public final class ClusterCidrObjects {

    private static final String METADATA = "metadata";
    private static final String SPEC = "spec";

    /// The metadata that users write.
    private static final List<String> WRITTEN_METADATA = List.of("annotations", "labels");

    private ClusterCidrObjects() {}

    /// An object as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    public record Given(ClusterCidrGroup group, ObjectNode json, UUID uid, Instant now) {

        public Given {
            json = json.deepCopy();
        }

        String name() {
            return json.path(METADATA).path("name").asText("");
        }

        private String key() {
            return group.key(name());
        }
    }

    /// Creates the object, or has it take the place of the stored one.
    public static Decision<DocumentChange, ClusterCidrOutcome> apply(ClusterCidrStock stock, Given given) {
        var stored = stock.find(given.key());
        return stored.isPresent() ? readable(given, () -> update(given, stored.get())) : create(stock, given);
    }

    /// Creates the object, which must not be there.
    public static Decision<DocumentChange, ClusterCidrOutcome> create(ClusterCidrStock stock, Given given) {
        return stock.find(given.key()).isPresent()
                ? refused("%s already exists".formatted(named(given.group(), given.name())))
                : readable(given, () -> creation(stock, given));
    }

    /// What remains to be decided on an object that can be read.
    @FunctionalInterface
    private interface Rest {
        Decision<DocumentChange, ClusterCidrOutcome> decide();
    }

    private static Decision<DocumentChange, ClusterCidrOutcome> readable(Given given, Rest rest) {
        try {
            return rest.decide();
        } catch (UnreadableDocumentException malformed) {
            return invalid(given, List.of(malformed.fault()));
        }
    }

    private static Decision<DocumentChange, ClusterCidrOutcome> creation(ClusterCidrStock stock, Given given) {
        var reader = new Fields(given.key());
        var spec = ClusterCidrDocument.spec(reader, given.json());
        var broken = new ArrayList<String>();
        if (Fields.absent(given.json().path(SPEC).path("perNodeHostBits"))) {
            broken.add("spec.perNodeHostBits: Required value");
        }
        broken.addAll(given.group().broken(ClusterCidr.of(given.name(), spec)));
        if (broken.isEmpty()) {
            broken.addAll(heldElsewhere(stock, ClusterCidr.of(given.name(), spec)));
        }
        if (!broken.isEmpty()) {
            return invalid(given, broken);
        }
        var written = reader.object(given.json(), SPEC).deepCopy();
        if (given.group() == ClusterCidrGroup.IN_TREE) {
            written.put("ipv4", spec.ipv4()).put("ipv6", spec.ipv6());
        }
        var created = ClusterCidrDocument.create(
                given.group(), given.name(), given.uid().toString(), written, given.now());
        var json = created.json();
        write(given, json);
        var finalizers = reader.object(given.json(), METADATA).path("finalizers");
        if (!finalizers.isEmpty()) {
            ((ObjectNode) json.path(METADATA)).set("finalizers", finalizers);
        }
        var content = ClusterCidrDocument.of(given.group(), given.name(), json).encode();
        return new Decision<>(
                new ClusterCidrOutcome.Created(),
                List.of(new DocumentChange.Put(given.key(), content, "create " + given.key())),
                List.of());
    }

    /// Addresses that another dialect gives.
    private static List<String> heldElsewhere(ClusterCidrStock stock, ClusterCidr created) {
        var ranges = ClusterCidrRanges.of(created);
        return stock.neighbours().stream()
                .filter(neighbour -> ranges.stream().anyMatch(one -> one.range().overlaps(neighbour.range())))
                .map(neighbour ->
                        "spec: Forbidden: it overlaps %s of %s: no two dialects in one store may give addresses of one range; choose other addresses, or %s %s first"
                                .formatted(
                                        neighbour.range(),
                                        neighbour.holder(),
                                        neighbour.level() == Holding.Level.NODE ? "release the addresses of" : "delete",
                                        neighbour.holder()))
                .toList();
    }

    /// Labels and annotations change; nothing else that users write may.
    private static Decision<DocumentChange, ClusterCidrOutcome> update(Given given, Document stored) {
        var before = ClusterCidrDocument.decode(stored);
        var spec = ClusterCidrDocument.spec(new Fields(given.key()), given.json());
        var broken = given.group().broken(before.clusterCidr().spec(), spec);
        if (!broken.isEmpty()) {
            return invalid(given, broken);
        }
        var json = before.json();
        write(given, json);
        if (json.equals(before.json())) {
            return new Decision<>(new ClusterCidrOutcome.Unchanged(), List.of(), List.of());
        }
        return new Decision<>(
                new ClusterCidrOutcome.Configured(), List.of(updating(stored.key(), Json.write(json))), List.of());
    }

    private static void write(Given given, ObjectNode json) {
        var metadata = (ObjectNode) json.path(METADATA);
        var reader = new Fields(given.key());
        var own = reader.object(given.json(), METADATA);
        for (var field : WRITTEN_METADATA) {
            var texts = reader.textMap(own, field);
            if (texts.isEmpty()) {
                metadata.remove(field);
            } else {
                var sorted = Json.emptyObject();
                texts.forEach(sorted::put);
                metadata.set(field, sorted);
            }
        }
    }

    /// Begins the deletion of an object, and ends it too if no finalizer keeps it.
    public static Decision<DocumentChange, ClusterCidrOutcome> remove(
            ClusterCidrStock stock, ClusterCidrGroup group, String name, Instant now) {
        var found = stock.find(group.key(name));
        if (found.isEmpty()) {
            return refused("%s not found".formatted(named(group, name)));
        }
        var document = ClusterCidrDocument.decode(found.get());
        var drop = new DocumentChange.Drop(document.key(), "delete " + document.key());
        if (document.finalizers().isEmpty()) {
            return new Decision<>(new ClusterCidrOutcome.Deleted(), List.of(drop), List.of());
        }
        if (document.clusterCidr().terminating()) {
            return new Decision<>(new ClusterCidrOutcome.Terminating(), List.of(), List.of());
        }
        DocumentChange beginning = stock.ending() == Ending.BY_STORE
                ? drop
                : updating(document.key(), document.withDeletion(now).encode());
        return new Decision<>(new ClusterCidrOutcome.Terminating(), List.of(beginning), List.of());
    }

    private static DocumentChange updating(String key, Bytes content) {
        return new DocumentChange.Put(key, content, "update " + key);
    }

    private static Decision<DocumentChange, ClusterCidrOutcome> invalid(Given given, List<String> broken) {
        var rules = broken.size() == 1 ? broken.getFirst() : "[" + String.join(", ", broken) + "]";
        return refused("%s is invalid: %s".formatted(named(given.group(), given.name()), rules));
    }

    private static String named(ClusterCidrGroup group, String name) {
        return "%s.%s \"%s\"".formatted(ClusterCidrGroup.KIND, group.group(), name);
    }

    private static Decision<DocumentChange, ClusterCidrOutcome> refused(String sentence) {
        return new Decision<>(new ClusterCidrOutcome.Refused(sentence), List.of(), List.of());
    }
}
