package io.cadastre.wire.calico.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.calico.CalicoStructs;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Nat;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Port;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A `WorkloadEndpoint` as JSON. Fields that are not understood here are kept.
public final class WorkloadEndpointDocument {

    /// Says which network an endpoint was attached to, of which Calico keeps no record.
    static final String NETWORK = "cadastre.io/network";

    private static final String KIND = "WorkloadEndpoint";
    private static final String METADATA = "metadata";
    private static final String SPEC = "spec";

    private final ObjectNode json;
    private final CalicoEndpoint endpoint;

    private WorkloadEndpointDocument(ObjectNode json, CalicoEndpoint endpoint) {
        this.json = json;
        this.endpoint = endpoint;
    }

    /// An endpoint that is not recorded yet.
    public static WorkloadEndpointDocument create(CalicoEndpoint endpoint, UUID uid, Instant now) {
        var json = ResourceFrame.create(KIND, endpoint.name().text(), endpoint.namespace(), uid, now);
        return new WorkloadEndpointDocument(fill(json, endpoint), endpoint);
    }

    /// The record of this endpoint in the place of this one.
    public WorkloadEndpointDocument replacedBy(CalicoEndpoint other) {
        return new WorkloadEndpointDocument(fill(json.deepCopy(), other), other);
    }

    private static ObjectNode fill(ObjectNode json, CalicoEndpoint endpoint) {
        var metadata = object(json, METADATA);
        var labels = metadata.putObject("labels");
        endpoint.labels().forEach(labels::put);
        if (!endpoint.network().isEmpty()) {
            object(metadata, "annotations").put(NETWORK, endpoint.network());
        }
        fillSpec(object(json, SPEC), endpoint);
        return json;
    }

    private static void fillSpec(ObjectNode spec, CalicoEndpoint endpoint) {
        var name = endpoint.name();
        put(spec, "orchestrator", name.orchestrator());
        put(spec, "node", name.node());
        put(spec, "containerID", endpoint.holder().containerId());
        put(spec, "pod", endpoint.holder().pod());
        put(spec, "endpoint", name.ifname());
        put(spec, "serviceAccountName", endpoint.holder().serviceAccount());
        put(
                spec,
                "ipNetworks",
                endpoint.wire().addresses().stream()
                        .map(address ->
                                "%s/%d".formatted(address, address.family().bits()))
                        .toList());
        var nats = emptied(spec, "ipNATs");
        for (var nat : endpoint.wire().nats()) {
            nats.addObject()
                    .put("internalIP", nat.internal().toString())
                    .put("externalIP", nat.external().toString());
        }
        put(spec, "profiles", endpoint.rules().profiles());
        put(spec, "interfaceName", endpoint.wire().hostLink());
        put(spec, "mac", endpoint.wire().mac());
        var ports = emptied(spec, "ports");
        for (var port : endpoint.rules().ports()) {
            ports.addObject()
                    .put("name", port.name())
                    .put("protocol", port.protocol())
                    .put("port", port.port())
                    .put("hostPort", port.hostPort())
                    .put("hostIP", port.hostIp());
        }
        put(
                spec,
                "allowSpoofedSourcePrefixes",
                endpoint.rules().allowedSources().stream().map(Prefix::toString).toList());
        dropEmpty(spec, "ipNATs");
        dropEmpty(spec, "ports");
    }

    /// What is empty is left out, as Calico does.
    private static void put(ObjectNode spec, String name, String value) {
        if (value.isEmpty()) {
            spec.remove(name);
        } else {
            spec.put(name, value);
        }
    }

    private static void put(ObjectNode spec, String name, List<String> values) {
        var list = emptied(spec, name);
        values.forEach(list::add);
        dropEmpty(spec, name);
    }

    private static ArrayNode emptied(ObjectNode spec, String name) {
        return spec.putArray(name);
    }

    private static void dropEmpty(ObjectNode spec, String name) {
        if (spec.path(name).isEmpty()) {
            spec.remove(name);
        }
    }

    private static ObjectNode object(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }

    /// Reads what the key of an endpoint holds.
    ///
    /// @throws UnreadableDocumentException if it is something else
    public static WorkloadEndpointDocument decode(String key, String namespace, EndpointName name, Bytes document) {
        var json = CalicoStructs.ENDPOINT.read(Json.readObject(key, document));
        var reader = new Fields(key);
        var metadata = reader.object(json, METADATA);
        var spec = reader.object(json, SPEC);
        try {
            var endpoint = new CalicoEndpoint(
                    namespace,
                    name,
                    reader.textMap(metadata, "labels"),
                    reader.textMap(metadata, "annotations").getOrDefault(NETWORK, ""),
                    new CalicoEndpoint.Holder(
                            reader.text(spec, "pod"),
                            reader.text(spec, "containerID"),
                            reader.text(spec, "serviceAccountName")),
                    wire(reader, spec),
                    rules(reader, spec));
            return new WorkloadEndpointDocument(json, endpoint);
        } catch (IllegalArgumentException senseless) {
            throw new UnreadableDocumentException(key, String.valueOf(senseless.getMessage()), senseless);
        }
    }

    private static CalicoEndpoint.Wire wire(Fields reader, ObjectNode spec) {
        var nats = new ArrayList<Nat>();
        for (var nat : reader.objects(spec, "ipNATs", NonObjects.REFUSED)) {
            nats.add(new Nat(
                    Address.parse(reader.text(nat, "internalIP")), Address.parse(reader.text(nat, "externalIP"))));
        }
        return new CalicoEndpoint.Wire(
                reader.text(spec, "interfaceName"),
                reader.text(spec, "mac"),
                reader.texts(spec, "ipNetworks").stream()
                        .map(text -> Prefix.parse(text).address())
                        .toList(),
                nats);
    }

    private static CalicoEndpoint.Rules rules(Fields reader, ObjectNode spec) {
        var ports = new ArrayList<Port>();
        for (var port : reader.objects(spec, "ports", NonObjects.REFUSED)) {
            ports.add(new Port(
                    reader.text(port, "name"),
                    port.path("protocol").asText(),
                    reader.integer(port.path("port"), "port"),
                    reader.integer(port.path("hostPort"), "hostPort"),
                    reader.text(port, "hostIP")));
        }
        return new CalicoEndpoint.Rules(
                reader.texts(spec, "profiles"),
                ports,
                reader.texts(spec, "allowSpoofedSourcePrefixes").stream()
                        .map(Prefix::parse)
                        .toList());
    }

    public CalicoEndpoint endpoint() {
        return endpoint;
    }

    public Bytes encode() {
        return Json.write(json);
    }
}
