package io.cadastre.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.cli.command.Layout;
import io.cadastre.cli.command.Layout.Column;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.UnparsableEntryException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// A stored document in the form in which people read it: with kind, name and a spec.
public record ShownResource(ResourceKind kind, String name, JsonNode document) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /// All of a kind that can be read, in the order of their keys.
    static List<ShownResource> all(Datastore store, ResourceKind kind) {
        return switch (kind) {
            case POOL -> listed(store, kind, CalicoKeys.POOLS);
            case RESERVATION -> listed(store, kind, CalicoKeys.RESERVATIONS);
            case NODE -> listed(store, kind, CalicoKeys.NODES);
            case CLUSTER -> cluster(store);
            case BLOCK -> listed(store, kind, CalicoKeys.BLOCKS);
            case HANDLE -> listed(store, kind, CalicoKeys.HANDLES);
            case AFFINITY ->
                Stream.of(CalicoKeys.HOSTS, CalicoKeys.VIRTUALS)
                        .flatMap(prefix -> listed(store, kind, prefix).stream())
                        .toList();
            case SPIDER_POOL, SPIDER_RESERVED, SPIDER_ENDPOINT ->
                SpiderpoolSession.all(store, kind).stream()
                        .flatMap(shown -> resource(kind, shown.name(), tree(shown.content()), shown.revision()))
                        .toList();
            case CONFIGURATION -> throw new IllegalStateException("there is one configuration, and no list");
        };
    }

    private static List<ShownResource> cluster(Datastore store) {
        return store.get(new CalicoKey.OfClusterInformation().text()).stream()
                .flatMap(stored -> shown(ResourceKind.CLUSTER, stored))
                .toList();
    }

    private static List<ShownResource> listed(Datastore store, ResourceKind kind, String prefix) {
        return store.listAll(prefix).documents().stream()
                .flatMap(stored -> shown(kind, stored))
                .toList();
    }

    /// Calico passes over what it cannot read, and so do all lists here; `ipam check` counts it.
    private static Stream<ShownResource> shown(ResourceKind kind, Document stored) {
        return CalicoKeys.parse(stored.key()).stream().flatMap(key -> {
            try {
                var content = CalicoDocument.decode(key, stored.value()).encode();
                return of(kind, key, tree(content), stored.revision());
            } catch (UnparsableEntryException _) {
                return Stream.empty();
            }
        });
    }

    private static Stream<ShownResource> of(ResourceKind kind, CalicoKey key, ObjectNode content, long revision) {
        return switch (key) {
            case CalicoKey.OfPool(var name) -> resource(kind, name, content, revision);
            case CalicoKey.OfReservation(var name) -> resource(kind, name, content, revision);
            case CalicoKey.OfNode(var name) -> resource(kind, name, content, revision);
            case CalicoKey.OfBlock(var cidr) -> wrapped(kind, name(cidr), content, revision);
            case CalicoKey.OfHandle(var id) -> {
                var spec = JsonNodeFactory.instance.objectNode().put("handleID", id);
                spec.setAll(content);
                yield wrapped(kind, id, spec, revision);
            }
            case CalicoKey.OfAffinity(var owner, var cidr) ->
                wrapped(kind, owner.name() + "-" + name(cidr), affinity(owner, cidr, content), revision);
            case CalicoKey.OfConfig _, CalicoKey.OfHostRecord _, CalicoKey.OfClusterInformation _ -> Stream.empty();
        };
    }

    private static ObjectNode affinity(Owner owner, Prefix cidr, ObjectNode content) {
        var spec = JsonNodeFactory.instance.objectNode();
        spec.set("state", content.path("state"));
        spec.put("node", owner.name()).put("type", owner.kind().word());
        spec.put("cidr", cidr.toString());
        spec.set("deleted", content.path("deleted"));
        return spec;
    }

    /// The CIDR as a name, as a Kubernetes object would have it.
    public static String name(Prefix cidr) {
        return cidr.toString().replace('.', '-').replace(':', '-').replace('/', '-');
    }

    private static Stream<ShownResource> resource(ResourceKind kind, String name, ObjectNode content, long revision) {
        if (content.get("metadata") instanceof ObjectNode metadata) {
            metadata.put("resourceVersion", Long.toString(revision));
        }
        return Stream.of(new ShownResource(kind, name, content));
    }

    private static Stream<ShownResource> wrapped(ResourceKind kind, String name, ObjectNode spec, long revision) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("kind", kind.word()).put("apiVersion", "projectcalico.org/v3");
        json.putObject("metadata").put("name", name).put("resourceVersion", Long.toString(revision));
        json.set("spec", spec);
        return Stream.of(new ShownResource(kind, name, json));
    }

    /// The document with its numbers as numbers, which the printers need.
    private static ObjectNode tree(Bytes content) {
        try {
            return (ObjectNode) MAPPER.readTree(content.toByteArray());
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    // ---- how they are printed ----

    static Layout<ShownResource> layout(ResourceKind kind) {
        return new Layout<>(
                columns(kind),
                shown -> "%s/%s".formatted(shown.kind().singular(), shown.name()),
                ShownResource::document);
    }

    private static List<Column<ShownResource>> columns(ResourceKind kind) {
        return switch (kind) {
            case POOL ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("CIDR", spec("cidr")),
                        Column.always("SELECTOR", spec("nodeSelector")),
                        Column.wide("BLOCKSIZE", spec("blockSize")),
                        Column.wide("USES", spec("allowedUses")),
                        Column.wide("MODE", spec("assignmentMode")),
                        Column.wide("DISABLED", spec("disabled")));
            case RESERVATION ->
                List.of(Column.always("NAME", ShownResource::name), Column.always("RESERVED", spec("reservedCIDRs")));
            case NODE ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.wide(
                                "CREATED",
                                shown -> shown.document()
                                        .at("/metadata/creationTimestamp")
                                        .asText()));
            case CLUSTER ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("READY", spec("datastoreReady")),
                        Column.wide("GUID", spec("clusterGUID")),
                        Column.wide("VERSION", spec("calicoVersion")));
            case CONFIGURATION ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("STRICTAFFINITY", spec("strictAffinity")),
                        Column.always("AUTOALLOCATEBLOCKS", spec("autoAllocateBlocks")),
                        Column.always("MAXBLOCKSPERHOST", spec("maxBlocksPerHost")),
                        Column.wide("COOLDOWN", spec("ipCooldownSeconds")));
            case BLOCK ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("CIDR", spec("cidr")),
                        Column.always("AFFINITY", spec("affinity")),
                        Column.wide("FREE", shown -> size(shown, "unallocated")),
                        Column.wide("SIZE", shown -> size(shown, "allocations")));
            case AFFINITY ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("NODE", spec("node")),
                        Column.always("CIDR", spec("cidr")),
                        Column.always("STATE", spec("state")),
                        Column.wide("TYPE", spec("type")));
            case HANDLE -> List.of(Column.always("NAME", ShownResource::name), Column.always("BLOCKS", spec("block")));
            case SPIDER_POOL ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("VERSION", spec("ipVersion")),
                        Column.always("SUBNET", spec("subnet")),
                        Column.always("ALLOCATED-IP-COUNT", at("/status/allocatedIPCount")),
                        Column.always("TOTAL-IP-COUNT", at("/status/totalIPCount")),
                        Column.always("DEFAULT", spec("default")),
                        Column.wide("DISABLE", spec("disable")),
                        Column.wide("NODENAME", spec("nodeName")),
                        Column.wide("MULTUSNAME", spec("multusName")),
                        Column.wide(
                                "APP-NAMESPACE", at("/spec/podAffinity/matchLabels/ipam.spidernet.io~1app-namespace")));
            case SPIDER_RESERVED ->
                List.of(Column.always("NAME", ShownResource::name), Column.always("VERSION", spec("ipVersion")));
            case SPIDER_ENDPOINT ->
                List.of(
                        Column.always("NAME", ShownResource::name),
                        Column.always("INTERFACE", at("/status/current/ips/0/interface")),
                        Column.always("IPV4POOL", at("/status/current/ips/0/ipv4Pool")),
                        Column.always("IPV4", at("/status/current/ips/0/ipv4")),
                        Column.always("IPV6POOL", at("/status/current/ips/0/ipv6Pool")),
                        Column.always("IPV6", at("/status/current/ips/0/ipv6")),
                        Column.always("NODE", at("/status/current/node")));
        };
    }

    private static Function<ShownResource, String> spec(String field) {
        return at("/spec/" + field);
    }

    private static Function<ShownResource, String> at(String path) {
        return shown -> {
            var node = shown.document().at(path);
            return node.isMissingNode() || node.isNull() ? "-" : words(node);
        };
    }

    private static String words(JsonNode node) {
        return node.isContainerNode() ? node.toString().replaceAll("[\"\\[\\]{}]", "") : node.asText();
    }

    private static String size(ShownResource shown, String field) {
        return Integer.toString(shown.document().path("spec").path(field).size());
    }
}
