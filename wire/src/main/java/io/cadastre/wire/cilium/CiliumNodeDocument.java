package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolNode;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Need;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// A CiliumNode as JSON. Fields unknown here are kept, and a document that is not changed is written as it was read.
///
/// A changed document has the form that Cilium's programs write: fields in the order of their names, empty lists and
/// maps left out, and an empty object for each struct of the changed part that has no field set.
public final class CiliumNodeDocument {

    static final String KIND = "CiliumNode";
    static final String API_VERSION = CiliumKeys.GROUP + "/" + CiliumKeys.NODE_VERSION;

    private static final String METADATA = CiliumObjects.METADATA;
    private static final String SPEC = CiliumObjects.SPEC;
    private static final String STATUS = CiliumObjects.STATUS;
    private static final String IPAM = "ipam";
    private static final String POOLS = "pools";
    private static final String POOL = "pool";
    private static final String CIDRS = "cidrs";
    private static final String POD_CIDRS = "podCIDRs";
    private static final String NEEDED = "needed";
    private static final String IPV4 = "ipv4-addrs";
    private static final String IPV6 = "ipv6-addrs";
    private static final String ERROR = "error";
    private static final String OWNER = "owner";
    private static final String RESOURCE = "resource";

    /// The parts that Cilium's programs write even when they are empty.
    static final List<List<String>> STRUCTS = List.of(
            List.of(SPEC, "alibaba-cloud"),
            List.of(SPEC, "azure"),
            List.of(SPEC, "encryption"),
            List.of(SPEC, "eni"),
            List.of(SPEC, "health"),
            List.of(SPEC, "ingress"),
            List.of(SPEC, IPAM, POOLS),
            List.of(STATUS, "alibaba-cloud"),
            List.of(STATUS, "azure"),
            List.of(STATUS, "eni"),
            List.of(STATUS, IPAM, "operator-status"));

    private final ObjectNode json;
    private final Fields reader;
    private final String name;

    private CiliumNodeDocument(String name, ObjectNode json) {
        this.json = json;
        this.reader = new Fields(CiliumKeys.node(name));
        this.name = name;
    }

    /// Reads the document of a node.
    ///
    /// @throws UnreadableDocumentException if it is not a CiliumNode, has another name, or a field that counts has
    ///     the wrong type
    public static CiliumNodeDocument decode(String name, Bytes document) {
        return of(name, Json.readObject(CiliumKeys.node(name), document));
    }

    static CiliumNodeDocument of(String name, ObjectNode json) {
        var document = new CiliumNodeDocument(name, json);
        document.reader.expect(json, "kind", KIND);
        document.reader.expect(json, "apiVersion", API_VERSION);
        document.reader.expect(document.reader.object(json, METADATA), "name", name);
        document.readAll();
        return document;
    }

    /// The document of a node that has nothing yet.
    public static CiliumNodeDocument create(String name) {
        var json = Json.emptyObject();
        json.put("apiVersion", API_VERSION).put("kind", KIND);
        json.putObject(METADATA).put("name", name);
        json.putObject(SPEC);
        return of(name, completed(completed(json, SPEC), STATUS));
    }

    /// Reads everything once, so that a document that cannot be read is found at once.
    private void readAll() {
        podCidrs();
        pool();
        used();
        requested();
        allocated();
        reserve();
        error();
        releases();
        ignored();
    }

    public String name() {
        return name;
    }

    /// Whether the operator gives it nothing.
    public boolean ignored() {
        return reader.textMap(reader.object(json, METADATA), "annotations")
                .getOrDefault(CiliumAnnotations.IGNORE, "")
                .toLowerCase(Locale.ROOT)
                .equals("true");
    }

    /// Its CIDRs, as they are written.
    public List<String> podCidrs() {
        return reader.texts(ipam(SPEC), POD_CIDRS);
    }

    /// The addresses that it may use, as they are written.
    public SortedMap<String, NodeAddressEntry> pool() {
        return entries(ipam(SPEC), POOL);
    }

    /// The addresses that are in use, as they are written.
    public SortedMap<String, NodeAddressEntry> used() {
        return entries(ipam(STATUS), "used");
    }

    private SortedMap<String, NodeAddressEntry> entries(ObjectNode parent, String field) {
        var entries = new TreeMap<String, NodeAddressEntry>();
        for (var entry : reader.object(parent, field).properties()) {
            var value = asObject(entry.getValue(), field);
            entries.put(entry.getKey(), new NodeAddressEntry(reader.text(value, OWNER), reader.text(value, RESOURCE)));
        }
        return Collections.unmodifiableSortedMap(entries);
    }

    /// What it needs of each pool.
    public List<Need> requested() {
        var requested = new ArrayList<Need>();
        for (var element : reader.array(pools(), "requested")) {
            var request = asObject(element, "requested");
            var needed = reader.object(request, NEEDED);
            requested.add(new Need(reader.text(request, POOL), count(needed, IPV4), count(needed, IPV6)));
        }
        return List.copyOf(requested);
    }

    /// What it has of each pool.
    public List<Entry> allocated() {
        var allocated = new ArrayList<Entry>();
        for (var element : reader.array(pools(), "allocated")) {
            var entry = asObject(element, "allocated");
            allocated.add(new Entry(
                    reader.text(entry, POOL),
                    reader.flag(entry, "allowFirstIP"),
                    reader.flag(entry, "allowLastIP"),
                    reader.texts(entry, CIDRS).stream().map(this::prefix).toList()));
        }
        return List.copyOf(allocated);
    }

    private Prefix prefix(String text) {
        return SloppyText.parsePrefix(text)
                .orElseThrow(() -> new UnreadableDocumentException(reader.key(), "'%s' is not a CIDR".formatted(text)));
    }

    public NodeReserve reserve() {
        var ipam = ipam(SPEC);
        return new NodeReserve(
                count(ipam, "min-allocate"),
                count(ipam, "max-allocate"),
                count(ipam, "pre-allocate"),
                count(ipam, "max-above-watermark"));
    }

    private int count(ObjectNode parent, String field) {
        int count = reader.integer(parent.path(field), field);
        if (count < 0) {
            throw reader.wrong(field, "a whole number from 0 on");
        }
        return count;
    }

    /// Why the operator gave nothing; empty if all is well.
    public String error() {
        return reader.text(reader.object(ipam(STATUS), "operator-status"), ERROR);
    }

    /// How far the release of each address has come, as it is written.
    public SortedMap<String, String> releases() {
        return reader.textMap(ipam(STATUS), "release-ips");
    }

    /// As the law of cluster-pool sees it.
    public ClusterPoolNode clusterPoolNode() {
        return new ClusterPoolNode(name, podCidrs(), error(), ignored());
    }

    /// As the law of multi-pool sees it.
    public MultiPoolNode multiPoolNode() {
        return new MultiPoolNode(name, requested(), allocated(), error());
    }

    private ObjectNode ipam(String part) {
        return reader.object(reader.object(json, part), IPAM);
    }

    private ObjectNode pools() {
        return reader.object(ipam(SPEC), POOLS);
    }

    private ObjectNode asObject(JsonNode node, String field) {
        return switch (node) {
            case ObjectNode object -> object;
            case JsonNode missing when Fields.absent(missing) -> Json.emptyObject();
            case JsonNode _ -> throw reader.wrong(field, "made of objects");
        };
    }

    public CiliumNodeDocument withPodCidrs(List<String> podCidrs) {
        var list = Json.emptyObject().arrayNode();
        podCidrs.forEach(list::add);
        return with(List.of(SPEC, IPAM), POD_CIDRS, list);
    }

    public CiliumNodeDocument withPool(SortedMap<String, NodeAddressEntry> pool) {
        return with(List.of(SPEC, IPAM), POOL, tree(pool));
    }

    public CiliumNodeDocument withUsed(SortedMap<String, NodeAddressEntry> used) {
        return with(List.of(STATUS, IPAM), "used", tree(used));
    }

    private static ObjectNode tree(SortedMap<String, NodeAddressEntry> entries) {
        var tree = Json.emptyObject();
        entries.forEach((address, entry) -> {
            var written = tree.putObject(address);
            putUnlessEmpty(written, OWNER, entry.owner());
            putUnlessEmpty(written, RESOURCE, entry.resource());
        });
        return tree;
    }

    /// Pools of which nothing is needed are left out.
    public CiliumNodeDocument withRequested(List<Need> requested) {
        var list = Json.emptyObject().arrayNode();
        for (var request : requested) {
            if (request.ipv4() > 0 || request.ipv6() > 0) {
                var written = list.addObject();
                putUnlessZero(written.putObject(NEEDED), IPV4, request.ipv4());
                putUnlessZero((ObjectNode) written.path(NEEDED), IPV6, request.ipv6());
                written.put(POOL, request.pool());
            }
        }
        return with(List.of(SPEC, IPAM, POOLS), "requested", list);
    }

    public CiliumNodeDocument withAllocated(List<Entry> allocated) {
        var list = Json.emptyObject().arrayNode();
        for (var entry : allocated) {
            var written = list.addObject();
            if (entry.allowFirst()) {
                written.put("allowFirstIP", true);
            }
            if (entry.allowLast()) {
                written.put("allowLastIP", true);
            }
            if (!entry.cidrs().isEmpty()) {
                entry.cidrs().forEach(cidr -> cidrs(written).add(cidr.toString()));
            }
            written.put(POOL, entry.pool());
        }
        return with(List.of(SPEC, IPAM, POOLS), "allocated", list);
    }

    private static ArrayNode cidrs(ObjectNode entry) {
        return entry.get(CIDRS) instanceof ArrayNode present ? present : entry.putArray(CIDRS);
    }

    public CiliumNodeDocument withError(String error) {
        return with(
                List.of(STATUS, IPAM, "operator-status"),
                ERROR,
                Json.emptyObject().textNode(error));
    }

    public CiliumNodeDocument withReleases(SortedMap<String, String> releases) {
        var tree = Json.emptyObject();
        releases.forEach(tree::put);
        return with(List.of(STATUS, IPAM), "release-ips", tree);
    }

    private static void putUnlessEmpty(ObjectNode parent, String field, String text) {
        if (!text.isEmpty()) {
            parent.put(field, text);
        }
    }

    private static void putUnlessZero(ObjectNode parent, String field, long number) {
        if (number != 0) {
            parent.put(field, number);
        }
    }

    /// With another value of a field, or without the field if the value is empty.
    private CiliumNodeDocument with(List<String> path, String field, JsonNode value) {
        var changed = json.deepCopy();
        var parent = at(changed, path);
        if (value.isTextual() ? value.textValue().isEmpty() : value.isEmpty()) {
            parent.remove(field);
        } else {
            parent.set(field, value);
        }
        return of(name, Json.readObject(reader.key(), Json.write(completed(changed, path.getFirst()))));
    }

    /// With the structs of one part. The other part is left alone, since an API server takes each by a write of
    /// its own.
    private static ObjectNode completed(ObjectNode json, String part) {
        STRUCTS.stream().filter(path -> path.getFirst().equals(part)).forEach(path -> at(json, path));
        return sorted(json);
    }

    private static ObjectNode at(ObjectNode json, List<String> path) {
        var at = json;
        for (var field : path) {
            at = at.get(field) instanceof ObjectNode present ? present : at.putObject(field);
        }
        return at;
    }

    private static ObjectNode sorted(ObjectNode object) {
        var fields = new TreeMap<String, JsonNode>();
        object.properties()
                .forEach(field -> fields.put(
                        field.getKey(),
                        field.getValue() instanceof ObjectNode inner ? sorted(inner) : field.getValue()));
        return Json.emptyObject().setAll(fields);
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
