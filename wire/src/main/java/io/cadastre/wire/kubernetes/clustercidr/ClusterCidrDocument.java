package io.cadastre.wire.kubernetes.clustercidr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import io.cadastre.engine.nodecidr.clustercidr.NodeSelector;
import io.cadastre.engine.nodecidr.clustercidr.SelectorRequirement;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// A ClusterCIDR as JSON. Fields unknown here are kept.
public final class ClusterCidrDocument {

    private static final String METADATA = "metadata";
    private static final String SPEC = "spec";
    private static final String FINALIZERS = "finalizers";
    private static final String DELETION = "deletionTimestamp";
    private static final String IPV4 = "ipv4";
    private static final String IPV6 = "ipv6";
    private static final String SELECTOR = "nodeSelector";
    private static final String TERMS = "nodeSelectorTerms";

    private final ClusterCidrGroup group;
    private final ObjectNode json;
    private final ClusterCidr clusterCidr;

    private ClusterCidrDocument(ClusterCidrGroup group, ObjectNode json, ClusterCidr clusterCidr) {
        this.group = group;
        this.json = json;
        this.clusterCidr = clusterCidr;
    }

    /// Reads a stored ClusterCIDR.
    ///
    /// @throws UnreadableDocumentException if it is not a ClusterCIDR, or has another name
    public static ClusterCidrDocument decode(Document stored) {
        return decode(stored.key(), stored.value());
    }

    /// Reads the ClusterCIDR under a key.
    ///
    /// @throws UnreadableDocumentException if it is not a ClusterCIDR, or has another name
    public static ClusterCidrDocument decode(String key, Bytes document) {
        var group = ClusterCidrGroup.ofKey(key)
                .orElseThrow(() -> new IllegalArgumentException("'%s' is not the key of a ClusterCIDR".formatted(key)));
        return of(group, key.substring(group.keys().length()), Json.readObject(key, document));
    }

    static ClusterCidrDocument of(ClusterCidrGroup group, String name, ObjectNode json) {
        var reader = new Fields(group.key(name));
        reader.expect(json, "kind", ClusterCidrGroup.KIND);
        reader.expect(json, "apiVersion", group.apiVersion());
        var metadata = reader.object(json, METADATA);
        reader.expect(metadata, "name", name);
        var clusterCidr = new ClusterCidr(
                name,
                reader.text(metadata, "uid"),
                reader.number(metadata.path("generation"), "generation"),
                spec(reader, json),
                metadata.hasNonNull(DELETION),
                reader.texts(metadata, FINALIZERS).contains(group.finalizer()));
        return new ClusterCidrDocument(group, json, clusterCidr);
    }

    /// What the object describes, whatever its name.
    static ClusterCidrSpec spec(Fields reader, ObjectNode json) {
        var spec = reader.object(json, SPEC);
        return new ClusterCidrSpec(
                reader.integer(spec.path("perNodeHostBits"), "perNodeHostBits"),
                reader.text(spec, IPV4),
                reader.text(spec, IPV6),
                selector(reader, spec));
    }

    private static NodeSelector selector(Fields reader, ObjectNode spec) {
        if (Fields.absent(spec.path(SELECTOR))) {
            return new NodeSelector.Absent();
        }
        var terms = new ArrayList<NodeSelector.Term>();
        for (var term : objects(reader, reader.object(spec, SELECTOR), TERMS)) {
            terms.add(new NodeSelector.Term(
                    requirements(reader, term, "matchExpressions"), requirements(reader, term, "matchFields")));
        }
        return new NodeSelector.Terms(terms);
    }

    private static List<SelectorRequirement> requirements(Fields reader, ObjectNode term, String name) {
        return objects(reader, term, name).stream()
                .map(one -> new SelectorRequirement(
                        reader.text(one, "key"), reader.text(one, "operator"), reader.texts(one, "values")))
                .toList();
    }

    private static List<ObjectNode> objects(Fields reader, ObjectNode parent, String name) {
        var objects = new ArrayList<ObjectNode>();
        for (var element : reader.array(parent, name)) {
            objects.add(
                    switch (element) {
                        case ObjectNode object -> object;
                        case JsonNode absent when Fields.absent(absent) -> Json.emptyObject();
                        case JsonNode _ -> throw reader.wrong(name, "an array of objects");
                    });
        }
        return objects;
    }

    /// The document of a new ClusterCIDR. What its group writes even when it is empty is written.
    public static ClusterCidrDocument create(ClusterCidrGroup group, ClusterCidr clusterCidr, Instant now) {
        var spec = Json.emptyObject();
        spec.put("perNodeHostBits", clusterCidr.spec().perNodeHostBits());
        put(group, spec, IPV4, clusterCidr.spec().ipv4());
        put(group, spec, IPV6, clusterCidr.spec().ipv6());
        if (clusterCidr.spec().nodeSelector() instanceof NodeSelector.Terms(var terms)) {
            var list = spec.putObject(SELECTOR).putArray(TERMS);
            terms.forEach(term -> list.add(term(term)));
        }
        return create(group, clusterCidr.name(), clusterCidr.uid(), spec, now)
                .withFinalizers(clusterCidr.finalizer() ? List.of(group.finalizer()) : List.of());
    }

    private static void put(ClusterCidrGroup group, ObjectNode spec, String field, String cidr) {
        if (!cidr.isEmpty() || group == ClusterCidrGroup.IN_TREE) {
            spec.put(field, cidr);
        }
    }

    private static ObjectNode term(NodeSelector.Term term) {
        var json = Json.emptyObject();
        putRequirements(json, "matchExpressions", term.matchExpressions());
        putRequirements(json, "matchFields", term.matchFields());
        return json;
    }

    private static void putRequirements(ObjectNode term, String name, List<SelectorRequirement> requirements) {
        if (requirements.isEmpty()) {
            return;
        }
        var list = term.putArray(name);
        for (var requirement : requirements) {
            var json = list.addObject().put("key", requirement.key()).put("operator", requirement.operator());
            if (!requirement.values().isEmpty()) {
                requirement.values().forEach(json.putArray("values")::add);
            }
        }
    }

    /// A new object with this spec.
    static ClusterCidrDocument create(ClusterCidrGroup group, String name, String uid, ObjectNode spec, Instant now) {
        var json = Json.emptyObject();
        json.put("apiVersion", group.apiVersion()).put("kind", ClusterCidrGroup.KIND);
        json.putObject(METADATA)
                .put("creationTimestamp", time(now))
                .put("generation", 1)
                .put("name", name)
                .put("uid", uid);
        json.set(SPEC, spec);
        return of(group, name, reread(group.key(name), json));
    }

    /// The tree as it is when it was stored: with numbers as they are spelled.
    static ObjectNode reread(String key, ObjectNode json) {
        return Json.readObject(key, Json.write(json));
    }

    public ClusterCidrGroup group() {
        return group;
    }

    public ClusterCidr clusterCidr() {
        return clusterCidr;
    }

    public String key() {
        return group.key(clusterCidr.name());
    }

    /// A copy of the whole document.
    ObjectNode json() {
        return json.deepCopy();
    }

    /// All finalizers, those of others too.
    List<String> finalizers() {
        var reader = new Fields(key());
        return reader.texts(reader.object(json, METADATA), FINALIZERS);
    }

    /// Whether it may vanish: its deletion has begun, and no finalizer is left.
    public boolean finished() {
        return clusterCidr.terminating() && finalizers().isEmpty();
    }

    /// With the finalizer of its group.
    public ClusterCidrDocument withFinalizer() {
        if (clusterCidr.finalizer()) {
            return this;
        }
        var more = new ArrayList<>(finalizers());
        more.add(group.finalizer());
        return withFinalizers(more);
    }

    /// Without the finalizer of its group.
    public ClusterCidrDocument withoutFinalizer() {
        return withFinalizers(finalizers().stream()
                .filter(one -> !one.equals(group.finalizer()))
                .toList());
    }

    private ClusterCidrDocument withFinalizers(List<String> finalizers) {
        var changed = json();
        var metadata = metadata(changed);
        if (finalizers.isEmpty()) {
            metadata.remove(FINALIZERS);
        } else {
            var list = metadata.get(FINALIZERS) instanceof ArrayNode given
                    ? given.removeAll()
                    : metadata.putArray(FINALIZERS);
            finalizers.forEach(list::add);
        }
        return of(group, clusterCidr.name(), changed);
    }

    /// As it is when its deletion has begun. A beginning deletion counts as a change of its spec.
    ClusterCidrDocument withDeletion(Instant now) {
        var changed = json();
        var metadata = metadata(changed);
        metadata.put("deletionGracePeriodSeconds", 0).put(DELETION, time(now));
        if (clusterCidr.generation() > 0) {
            metadata.put("generation", clusterCidr.generation() + 1);
        }
        return of(group, clusterCidr.name(), reread(key(), changed));
    }

    private static ObjectNode metadata(ObjectNode json) {
        return json.get(METADATA) instanceof ObjectNode given ? given : json.putObject(METADATA);
    }

    private static String time(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
