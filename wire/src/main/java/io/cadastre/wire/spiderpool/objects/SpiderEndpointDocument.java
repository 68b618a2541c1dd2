package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodEndpoint;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.TopController;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A `SpiderEndpoint` as JSON. Fields unknown here are kept.
public final class SpiderEndpointDocument {

    static final String KIND = "SpiderEndpoint";

    private static final String CURRENT = "current";
    private static final String IPS = "ips";
    private static final String CLEAN_GATEWAY = "cleanGateway";
    private static final String INTERFACE = "interface";
    private static final String OWNERS = "ownerReferences";
    private static final String POD = "Pod";
    private static final String CONTROLLER_TYPE = "ownerControllerType";
    private static final String CONTROLLER_NAME = "ownerControllerName";

    private final ObjectNode json;
    private final PodEndpoint endpoint;

    private SpiderEndpointDocument(ObjectNode json, PodEndpoint endpoint) {
        this.json = json;
        this.endpoint = endpoint;
    }

    /// The document of a pod that had none.
    static SpiderEndpointDocument create(PodEndpoint endpoint, Instant created) {
        var json = Json.emptyObject();
        json.put("apiVersion", SpiderKeys.API_VERSION).put("kind", KIND);
        var metadata = json.putObject(Trees.METADATA);
        metadata.put("creationTimestamp", Trees.time(created));
        metadata.putArray("finalizers").add(Trees.FINALIZER);
        metadata.put("name", endpoint.key().name())
                .put("namespace", endpoint.key().namespace());
        switch (endpoint.ownership()) {
            case UNOWNED -> {}
            case OWNED_BY_POD ->
                metadata.putArray(OWNERS)
                        .addObject()
                        .put("apiVersion", "v1")
                        .put("kind", POD)
                        .put("name", endpoint.key().name())
                        .put("uid", endpoint.uid());
        }
        var status = json.putObject(Trees.STATUS);
        var current = status.putObject(CURRENT);
        putNics(current.putArray(IPS), endpoint.nics(), List.of());
        current.put("node", endpoint.node()).put("uid", endpoint.uid());
        status.put(CONTROLLER_NAME, endpoint.controller().name());
        status.put(CONTROLLER_TYPE, endpoint.controller().kind());
        return new SpiderEndpointDocument(json, endpoint);
    }

    /// Reads the document of an endpoint.
    ///
    /// @throws UnreadableDocumentException if it is not one, or that of another pod
    public static SpiderEndpointDocument decode(PodKey key, Bytes document) {
        var reader = new Fields(SpiderKeys.endpoint(key));
        var json = Json.readObject(reader.key(), document);
        reader.expect(json, "kind", KIND);
        reader.expect(json, "apiVersion", SpiderKeys.API_VERSION);
        var metadata = reader.object(json, Trees.METADATA);
        reader.expect(metadata, "name", key.name());
        reader.expect(metadata, "namespace", key.namespace());
        var status = reader.object(json, Trees.STATUS);
        var current = reader.object(status, CURRENT);
        return new SpiderEndpointDocument(
                json,
                new PodEndpoint(
                        key,
                        reader.text(current, "uid"),
                        reader.text(current, "node"),
                        entries(reader, current).stream()
                                .map(entry -> nic(reader, entry))
                                .toList(),
                        new TopController(
                                "", reader.text(status, CONTROLLER_TYPE), reader.text(status, CONTROLLER_NAME)),
                        reader.array(metadata, OWNERS).valueStream().anyMatch(SpiderEndpointDocument::isPod)
                                ? Ownership.OWNED_BY_POD
                                : Ownership.UNOWNED));
    }

    private static boolean isPod(JsonNode owner) {
        return owner.path("kind").asText().equals(POD);
    }

    private static List<ObjectNode> entries(Fields reader, ObjectNode current) {
        return reader.array(current, IPS)
                .valueStream()
                .map(element -> {
                    if (!(element instanceof ObjectNode entry)) {
                        throw reader.wrong("status.current.ips", "an array of objects");
                    }
                    return entry;
                })
                .toList();
    }

    private static Nic nic(Fields reader, ObjectNode entry) {
        var gatewayUse = Fields.absent(entry.path(CLEAN_GATEWAY))
                ? Optional.<GatewayUse>empty()
                : Optional.of(reader.flag(entry, CLEAN_GATEWAY) ? GatewayUse.CLEAN : GatewayUse.DEFAULT_ROUTE);
        return new Nic(
                reader.text(entry, INTERFACE),
                address(reader, entry, Family.IPV4),
                address(reader, entry, Family.IPV6),
                gatewayUse,
                PoolForm.routes(reader, entry, "routes"));
    }

    private static Optional<NicAddress> address(Fields reader, ObjectNode entry, Family family) {
        var name = name(family);
        var text = reader.text(entry, name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var gateway = reader.text(entry, name + "Gateway");
        int slash = text.indexOf('/');
        var address = IpText.address(family, text.substring(0, Math.max(0, slash)));
        var network = IpText.network(family, text);
        if (address.isEmpty() || network.isEmpty()) {
            throw reader.wrong(name, "an address with a length");
        }
        if (!gateway.isEmpty() && IpText.address(family, gateway).isEmpty()) {
            throw reader.wrong(name + "Gateway", "an address");
        }
        return Optional.of(new NicAddress(
                address.get(),
                network.get().length(),
                reader.text(entry, name + "Pool"),
                IpText.address(family, gateway)));
    }

    private static String name(Family family) {
        return switch (family) {
            case IPV4 -> "ipv4";
            case IPV6 -> "ipv6";
        };
    }

    public PodEndpoint endpoint() {
        return endpoint;
    }

    /// This, for another endpoint of the same name. Of an interface that stays, all that was read stays.
    SpiderEndpointDocument with(PodEndpoint other) {
        var reader = new Fields(SpiderKeys.endpoint(endpoint.key()));
        var changed = json.deepCopy();
        var current = Trees.child(Trees.child(changed, Trees.STATUS), CURRENT);
        var before = entries(reader, current);
        putNics(current.putArray(IPS), other.nics(), before);
        current.put("node", other.node()).put("uid", other.uid());
        Trees.child(changed, Trees.STATUS)
                .put(CONTROLLER_NAME, other.controller().name())
                .put(CONTROLLER_TYPE, other.controller().kind());
        if (other.ownership() == Ownership.UNOWNED) {
            disown(reader, changed);
        }
        return decode(endpoint.key(), Json.write(changed));
    }

    /// Kubernetes removes an object as soon as the pod that owns it is gone.
    private static void disown(Fields reader, ObjectNode json) {
        var metadata = Trees.child(json, Trees.METADATA);
        var owners = reader.array(metadata, OWNERS);
        owners.removeIf(SpiderEndpointDocument::isPod);
        if (owners.isEmpty()) {
            metadata.remove(OWNERS);
        }
    }

    private static void putNics(ArrayNode array, List<Nic> nics, List<ObjectNode> before) {
        var reader = new Fields("");
        for (int index = 0; index < nics.size(); index++) {
            var nic = nics.get(index);
            if (index < before.size() && isOf(nic(reader, before.get(index)), nic)) {
                array.add(before.get(index).deepCopy().put(INTERFACE, nic.name()));
            } else {
                array.add(form(nic));
            }
        }
    }

    /// Whether both are the same, but for a name that was claimed.
    private static boolean isOf(Nic before, Nic after) {
        return before.addresses().equals(after.addresses())
                && before.gatewayUse().equals(after.gatewayUse())
                && before.routes().equals(after.routes());
    }

    private static ObjectNode form(Nic nic) {
        var form = Json.emptyObject();
        nic.gatewayUse().ifPresent(use -> form.put(CLEAN_GATEWAY, use == GatewayUse.CLEAN));
        form.put(INTERFACE, nic.name());
        nic.ipv4().ifPresent(address -> put(form, name(Family.IPV4), address));
        nic.ipv6().ifPresent(address -> put(form, name(Family.IPV6), address));
        if (!nic.routes().isEmpty()) {
            var routes = form.putArray("routes");
            for (PodRoute route : nic.routes()) {
                routes.addObject().put("dst", route.dst()).put("gw", route.gw());
            }
        }
        form.put("vlan", 0);
        return form;
    }

    private static void put(ObjectNode form, String name, NicAddress address) {
        form.put(name, address.text());
        address.gateway().ifPresent(gateway -> form.put(name + "Gateway", gateway.toString()));
        form.put(name + "Pool", address.pool());
    }

    /// Whether its deletion has begun.
    boolean terminating() {
        return Trees.terminating(json);
    }

    /// A copy of the whole document.
    public ObjectNode json() {
        return json.deepCopy();
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
