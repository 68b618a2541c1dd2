package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.demand.SelectingPool;
import io.cadastre.engine.nodecidr.multipool.PodPoolSpec;
import io.cadastre.engine.nodecidr.multipool.PodPoolSpec.OfFamily;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A CiliumPodIPPool as JSON. Fields unknown here are kept.
public final class PodIpPoolDocument {

    static final String KIND = "CiliumPodIPPool";
    static final String API_VERSION = CiliumKeys.GROUP + "/" + CiliumKeys.POOL_VERSION;

    private final ObjectNode json;
    private final Fields reader;
    private final String name;

    private PodIpPoolDocument(String name, ObjectNode json) {
        this.json = json;
        this.reader = new Fields(CiliumKeys.pool(name));
        this.name = name;
    }

    /// Reads the document of a pool.
    ///
    /// @throws UnreadableDocumentException if it is not one, has another name, or names a CIDR that is none; what
    ///     the pool gives is then unknown, and the caller must not guess
    public static PodIpPoolDocument decode(String name, Bytes document) {
        return of(name, Json.readObject(CiliumKeys.pool(name), document));
    }

    static PodIpPoolDocument of(String name, ObjectNode json) {
        var document = new PodIpPoolDocument(name, json);
        document.reader.expect(json, "kind", KIND);
        document.reader.expect(json, "apiVersion", API_VERSION);
        document.reader.expect(document.reader.object(json, CiliumObjects.METADATA), "name", name);
        document.cidrs(Family.IPV4);
        document.cidrs(Family.IPV6);
        document.allowFirst();
        document.allowLast();
        document.skipMasquerade();
        document.selecting();
        return document;
    }

    public String name() {
        return name;
    }

    /// What it has of a family, if it has any.
    public Optional<PoolCidrs> cidrs(Family family) {
        var field = field(family);
        if (Fields.absent(object().path(field))) {
            return Optional.empty();
        }
        var part = reader.object(object(), field);
        var cidrs = reader.texts(part, "cidrs").stream()
                .map(text -> prefix(family, text))
                .toList();
        return Optional.of(new PoolCidrs(cidrs, reader.integer(part.path("maskSize"), field + ".maskSize")));
    }

    /// As the law of multi-pool sees it.
    public PodPoolSpec spec() {
        var families = new ArrayList<OfFamily>();
        for (var family : Family.values()) {
            cidrs(family)
                    .ifPresent(part -> families.add(new OfFamily(
                            family, part.cidrs().stream().map(Prefix::toString).toList(), part.maskSize())));
        }
        return new PodPoolSpec(name, families, allowFirst(), allowLast());
    }

    /// As the choice of a pool for a pod sees it.
    public SelectingPool selecting() {
        return new SelectingPool(
                name,
                Stream.of(Family.values())
                        .filter(family -> cidrs(family).isPresent())
                        .toList(),
                PodSelectorForm.read(reader, object(), "podSelector"),
                PodSelectorForm.read(reader, object(), "namespaceSelector"));
    }

    static String field(Family family) {
        return switch (family) {
            case IPV4 -> "ipv4";
            case IPV6 -> "ipv6";
        };
    }

    private Prefix prefix(Family family, String text) {
        return SloppyText.parsePrefix(text)
                .filter(cidr -> cidr.family() == family)
                .orElseThrow(() -> new UnreadableDocumentException(
                        reader.key(), "'%s' is not a CIDR of %s".formatted(text, family)));
    }

    /// Whether the first address of each CIDR that a node gets may be given to a pod.
    public boolean allowFirst() {
        return reader.flag(object(), "allowFirstIP");
    }

    /// Likewise the last address.
    public boolean allowLast() {
        return reader.flag(object(), "allowLastIP");
    }

    /// Whether what its pods send is not masqueraded.
    public boolean skipMasquerade() {
        return reader.textMap(reader.object(json, CiliumObjects.METADATA), "annotations")
                .getOrDefault(CiliumAnnotations.SKIP_MASQUERADE, "")
                .toLowerCase(Locale.ROOT)
                .equals("true");
    }

    private ObjectNode object() {
        return reader.object(json, CiliumObjects.SPEC);
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
