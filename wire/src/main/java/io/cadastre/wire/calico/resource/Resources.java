package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.engine.Decision;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoNodeDocument;
import io.cadastre.wire.calico.ClusterInformationDocument;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.calico.ReservationDocument;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Decides what becomes of resources.
public final class Resources {

    private static final String METADATA = "metadata";
    private static final String SPEC = "spec";
    private static final String CLUSTER_NAME = "default";
    private static final String VERSION = "resourceVersion";

    private Resources() {}

    /// A resource as the caller gave it.
    ///
    /// @param json the whole document; kind and version are known to be right
    /// @param uid what it will be known by if it is new
    public record Given(Kind kind, ObjectNode json, UUID uid, Instant now) {

        public Given {
            json = json.deepCopy();
        }

        /// The name in the document; empty if it has none.
        public String name() {
            return json.path(METADATA).path("name").asText("");
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

    /// The kinds that people write.
    public enum Kind {
        POOL("IPPool"),
        RESERVATION("IPReservation"),
        NODE("Node"),
        CLUSTER("ClusterInformation");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public CalicoKey key(String name) {
            return switch (this) {
                case POOL -> new CalicoKey.OfPool(name);
                case RESERVATION -> new CalicoKey.OfReservation(name);
                case NODE -> new CalicoKey.OfNode(name);
                case CLUSTER -> new CalicoKey.OfClusterInformation();
            };
        }

        /// Kind and name as Calico prints them.
        public String named(String name) {
            return "%s(%s)".formatted(word, name);
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /// Creates the resource, or has it take the place of the stored one.
    public static Decision<ResourceChange, Applied> apply(ResourceView view, Given given) {
        return checked(given, () -> applied(view, given));
    }

    /// Creates the resource, which must not be there.
    public static Decision<ResourceChange, Applied> create(ResourceView view, Given given) {
        return checked(
                given,
                () -> view.find(given.kind().key(given.name())).isPresent()
                        ? decided(new Applied.AlreadyThere(given.kind().named(given.name())))
                        : creation(view, given));
    }

    private static Decision<ResourceChange, Applied> applied(ResourceView view, Given given) {
        var stored = view.find(given.kind().key(given.name()));
        return stored.isPresent() ? update(given, stored.get()) : creation(view, given);
    }

    /// What a document comes to that has no fault by itself.
    private static Decision<ResourceChange, Applied> checked(
            Given given, Supplier<Decision<ResourceChange, Applied>> decision) {
        var nameFault = ResourceName.fault(given.name());
        if (nameFault.isPresent()) {
            return decided(new Applied.Invalid(List.of(nameFault.get())));
        }
        try {
            var faults = faults(given);
            if (!faults.isEmpty()) {
                return decided(new Applied.Invalid(faults));
            }
            return decision.get();
        } catch (UnreadableDocumentException malformed) {
            return decided(new Applied.Invalid(List.of(ResourceFault.ofSpec(malformed.fault()))));
        }
    }

    private static List<ResourceFault> faults(Given given) {
        var reader = new Fields(given.kind().key(given.name()).text());
        return switch (given.kind()) {
            case POOL -> IpPoolRules.faults(reader, given.json());
            case RESERVATION -> {
                var texts = reader.texts(reader.object(given.json(), SPEC), "reservedCIDRs");
                yield ReservationRules.faults(texts);
            }
            case NODE -> {
                reader.textMap(reader.object(given.json(), METADATA), "labels");
                reader.object(given.json(), SPEC);
                yield List.of();
            }
            case CLUSTER -> clusterFaults(reader, given);
        };
    }

    private static List<ResourceFault> clusterFaults(Fields reader, Given given) {
        if (!given.name().equals(CLUSTER_NAME)) {
            return List.of(new ResourceFault("Metadata.Name", given.name(), "there is only one, named default"));
        }
        reader.flag(reader.object(given.json(), SPEC), "datastoreReady");
        return List.of();
    }

    private static Decision<ResourceChange, Applied> creation(ResourceView view, Given given) {
        if (!given.version().isEmpty()) {
            return decided(new Applied.Invalid(List.of(new ResourceFault(
                    "Metadata.ResourceVersion", given.version(), "field must not be set for a Create request"))));
        }
        var document = created(given);
        if (document instanceof IpPoolDocument pool) {
            var faults = IpPoolRules.faultsOfCreation(pool.pool(), view);
            if (!faults.isEmpty()) {
                return decided(new Applied.Invalid(faults));
            }
        }
        return new Decision<>(
                new Applied.Created(),
                List.of(new ResourceChange.Create(given.kind().key(given.name()), document)),
                List.of());
    }

    private static CalicoDocument created(Given given) {
        var name = given.name();
        return switch (given.kind()) {
            case POOL -> IpPoolDocument.create(name, canonical(given.content()), given.uid(), given.now());
            case RESERVATION -> ReservationDocument.create(name, given.content(), given.uid(), given.now());
            case NODE -> CalicoNodeDocument.create(name, given.content(), given.uid(), given.now());
            case CLUSTER ->
                cluster(
                        given,
                        given.uid().toString(),
                        DateTimeFormatter.ISO_INSTANT.format(given.now().truncatedTo(ChronoUnit.SECONDS)));
        };
    }

    private static CalicoDocument cluster(Given given, String uid, String created) {
        var json = Json.emptyObject();
        json.put("kind", given.kind().toString()).put("apiVersion", "projectcalico.org/v3");
        json.putObject(METADATA).put("name", given.name()).put("uid", uid).put("creationTimestamp", created);
        json.set(SPEC, given.json().path(SPEC));
        return CalicoDocument.decode(given.kind().key(given.name()), Json.write(json));
    }

    /// A pool with its prefix in canonical spelling.
    private static ObjectNode canonical(ObjectNode json) {
        if (json.get(SPEC) instanceof ObjectNode spec) {
            IpPoolRules.prefix(spec.path(IpPoolRules.CIDR).asText())
                    .ifPresent(prefix -> spec.put(IpPoolRules.CIDR, prefix.toString()));
        }
        return json;
    }

    private static Decision<ResourceChange, Applied> update(Given given, StoredResource stored) {
        if (!given.version().isEmpty() && !given.version().equals(Long.toString(stored.revision()))) {
            return decided(new Applied.Outdated(given.kind().named(given.name())));
        }
        var document = replaced(given, stored.document());
        if (document instanceof IpPoolDocument after && stored.document() instanceof IpPoolDocument before) {
            var faults = IpPoolRules.faultsOfUpdate(before.pool(), after.pool());
            if (!faults.isEmpty()) {
                return decided(new Applied.Invalid(faults));
            }
        }
        if (sameContent(document, stored.document())) {
            return decided(new Applied.Unchanged());
        }
        return new Decision<>(
                new Applied.Configured(),
                List.of(new ResourceChange.Update(given.kind().key(given.name()), stored, document)),
                List.of());
    }

    /// Some stores have an order of fields of their own.
    private static boolean sameContent(CalicoDocument one, CalicoDocument other) {
        return one.encode().equals(other.encode())
                || Json.readObject("one", one.encode()).equals(Json.readObject("other", other.encode()));
    }

    /// The pool with its prefix in the spelling that is stored, if it is the same: where a prefix must not
    /// change, its text must not.
    private static ObjectNode spelledAs(ObjectNode stored, ObjectNode json) {
        var former = stored.path(SPEC).path(IpPoolRules.CIDR).asText();
        if (json.get(SPEC) instanceof ObjectNode spec
                && IpPoolRules.prefix(former).isPresent()
                && IpPoolRules.prefix(former)
                        .equals(IpPoolRules.prefix(spec.path(IpPoolRules.CIDR).asText()))) {
            spec.put(IpPoolRules.CIDR, former);
        }
        return json;
    }

    private static CalicoDocument replaced(Given given, CalicoDocument stored) {
        return switch (stored) {
            case IpPoolDocument pool -> pool.replacedBy(spelledAs(pool.json(), canonical(given.content())));
            case ReservationDocument reservation -> reservation.replacedBy(given.content());
            case CalicoNodeDocument node -> node.replacedBy(given.content());
            case ClusterInformationDocument information -> {
                var metadata = information.json().path(METADATA);
                yield cluster(
                        given,
                        metadata.path("uid").asText(),
                        metadata.path("creationTimestamp").asText());
            }
            default -> throw new IllegalStateException("nobody replaces " + stored);
        };
    }

    /// Marks a pool as one that gives nothing new.
    public static Decision<ResourceChange, Removed> disable(ResourceView view, String pool) {
        var key = Kind.POOL.key(pool);
        var stored = view.find(key);
        if (stored.isEmpty()) {
            return decided(new Removed.NotThere(Kind.POOL.named(pool)));
        }
        return new Decision<>(
                new Removed.Done(),
                disabled(key, stored.get()).<List<ResourceChange>>map(List::of).orElse(List.of()),
                List.of());
    }

    private static Optional<ResourceChange> disabled(CalicoKey key, StoredResource stored) {
        if (!(stored.document() instanceof IpPoolDocument pool)) {
            throw new IllegalStateException("%s is no pool".formatted(key.text()));
        }
        var json = pool.json();
        if (!(json.get(SPEC) instanceof ObjectNode spec)
                || spec.path("disabled").asBoolean()) {
            return Optional.empty();
        }
        spec.put("disabled", true);
        return Optional.of(new ResourceChange.Update(key, stored, pool.replacedBy(json)));
    }

    /// Deletes a resource. A pool must have been disabled and its blocks given up before.
    public static Decision<ResourceChange, Removed> remove(ResourceView view, Kind kind, String name) {
        var key = kind.key(name);
        return view.find(key)
                .map(stored -> new Decision<ResourceChange, Removed>(
                        new Removed.Done(), List.of(new ResourceChange.Drop(key, stored)), List.of()))
                .orElseGet(() -> decided(new Removed.NotThere(kind.named(name))));
    }

    private static <O> Decision<ResourceChange, O> decided(O outcome) {
        return new Decision<>(outcome, List.of(), List.of());
    }
}
