package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpPool.AssignmentMode;
import io.cadastre.engine.block.IpPool.Mode;
import io.cadastre.engine.block.selector.SelectorText;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// An `IPPool` as JSON. What a document leaves out has its default, since other tools write pools
/// without them.
public final class IpPoolDocument implements CalicoDocument {

    private static final String KIND = "IPPool";

    private static final String CIDR = "cidr";
    private static final String VXLAN_MODE = "vxlanMode";
    private static final String IPIP_MODE = "ipipMode";
    private static final String NAT_OUTGOING = "natOutgoing";
    private static final String DISABLED = "disabled";
    private static final String DISABLE_BGP_EXPORT = "disableBGPExport";
    private static final String BLOCK_SIZE = "blockSize";
    private static final String NODE_SELECTOR = "nodeSelector";
    private static final String NAMESPACE_SELECTOR = "namespaceSelector";
    private static final String ALLOWED_USES = "allowedUses";
    private static final String ASSIGNMENT_MODE = "assignmentMode";

    private static final List<String> SPEC_FIELDS = List.of(
            CIDR,
            VXLAN_MODE,
            IPIP_MODE,
            NAT_OUTGOING,
            DISABLED,
            DISABLE_BGP_EXPORT,
            BLOCK_SIZE,
            NODE_SELECTOR,
            NAMESPACE_SELECTOR,
            ALLOWED_USES,
            ASSIGNMENT_MODE);

    private static final String NEVER = "Never";
    private static final String AUTOMATIC = "Automatic";
    private static final String EVERYTHING = "all()";

    private static final int BLOCK_BITS_DEFAULT = 6;

    private final ObjectNode json;
    private final IpPool pool;

    private IpPoolDocument(ObjectNode json, IpPool pool) {
        this.json = json;
        this.pool = pool;
    }

    /// A pool as the caller gave it, to be stored for the first time.
    ///
    /// @throws UnparsableEntryException if it is not one
    public static IpPoolDocument create(String name, ObjectNode given, UUID uid, Instant now) {
        return completed(name, CalicoResource.create(KIND, name, given, uid, now));
    }

    /// A pool as the caller gave it, to replace this one.
    ///
    /// @throws UnparsableEntryException if it is not one
    public IpPoolDocument replacedBy(ObjectNode given) {
        return completed(pool.name(), CalicoResource.replace(KIND, pool.name(), given, json));
    }

    /// With the defaults that Calico writes.
    private static IpPoolDocument completed(String name, ObjectNode json) {
        var spec = CalicoResource.object(json, CalicoResource.SPEC);
        putIfBlank(spec, VXLAN_MODE, NEVER);
        putIfBlank(spec, IPIP_MODE, NEVER);
        putIfBlank(spec, NODE_SELECTOR, EVERYTHING);
        putIfBlank(spec, ASSIGNMENT_MODE, AUTOMATIC);
        if (spec.path(ALLOWED_USES).isEmpty()) {
            var uses = spec.putArray(ALLOWED_USES);
            IpPool.ALLOWED_USES_DEFAULT.forEach(use -> uses.add(use.toString()));
        }
        for (var flag : List.of(NAT_OUTGOING, DISABLED, DISABLE_BGP_EXPORT)) {
            if (!spec.path(flag).asBoolean(false)) {
                spec.remove(flag);
            }
        }
        if (blank(spec.path(NAMESPACE_SELECTOR))) {
            spec.remove(NAMESPACE_SELECTOR);
        }
        var key = new CalicoKey.OfPool(name);
        var document = (IpPoolDocument) CalicoDocument.decode(key, Json.write(json));
        spec.put(BLOCK_SIZE, document.pool.blockLength());
        json.set(CalicoResource.SPEC, CalicoResource.inOrder(spec, SPEC_FIELDS));
        return new IpPoolDocument(json, document.pool);
    }

    private static void putIfBlank(ObjectNode spec, String name, String text) {
        if (blank(spec.path(name))) {
            spec.put(name, text);
        }
    }

    private static boolean blank(JsonNode node) {
        return Fields.absent(node) || (node.isTextual() && node.textValue().isEmpty());
    }

    static IpPoolDocument read(Fields reader, String name, ObjectNode json) {
        var spec = reader.object(json, CalicoResource.SPEC);
        var cidr = cidr(reader, spec);
        int blockLength = reader.integer(spec.path(BLOCK_SIZE), BLOCK_SIZE);
        var nodeSelector = reader.text(spec, NODE_SELECTOR);
        var pool = new IpPool(
                name,
                cidr,
                blockLength == 0 ? cidr.family().bits() - BLOCK_BITS_DEFAULT : blockLength,
                standing(reader, json),
                SelectorText.of(nodeSelector.isEmpty() ? EVERYTHING : nodeSelector),
                SelectorText.of(reader.text(spec, NAMESPACE_SELECTOR)),
                uses(reader.texts(spec, ALLOWED_USES)),
                mode(reader.text(spec, ASSIGNMENT_MODE)));
        return new IpPoolDocument(json, pool);
    }

    private static Prefix cidr(Fields reader, ObjectNode spec) {
        return SloppyText.parsePrefix(reader.text(spec, CIDR))
                .filter(cidr -> cidr.family() == Family.IPV4 || !cidr.ipv4Mapped())
                .orElseThrow(() -> reader.wrong(CIDR, "a CIDR"));
    }

    private static Mode standing(Fields reader, ObjectNode json) {
        if (json.path(CalicoResource.METADATA).hasNonNull("deletionTimestamp")) {
            return Mode.DELETING;
        }
        if (reader.flag(reader.object(json, CalicoResource.SPEC), DISABLED)) {
            return Mode.DISABLED;
        }
        for (var condition : json.path(CalicoResource.STATUS).path("conditions")) {
            if (condition.path("type").asText().equals("Allocatable")
                    && condition.path("status").asText().equals("False")) {
                return Mode.NOT_ALLOCATABLE;
            }
        }
        return Mode.ENABLED;
    }

    /// An unknown word allows nothing, and takes nothing from the others.
    private static List<AddressUse> uses(List<String> words) {
        return words.isEmpty()
                ? IpPool.ALLOWED_USES_DEFAULT
                : words.stream().flatMap(IpPoolDocument::use).toList();
    }

    private static Stream<AddressUse> use(String word) {
        return Arrays.stream(AddressUse.values())
                .filter(use -> use != AddressUse.UNSTATED && use.toString().equals(word));
    }

    private static AssignmentMode mode(String word) {
        return word.isEmpty() || word.equals(AUTOMATIC) ? AssignmentMode.AUTOMATIC : AssignmentMode.MANUAL;
    }

    public IpPool pool() {
        return pool;
    }

    /// A copy of the document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public Bytes encode() {
        return Json.write(json);
    }
}
