package io.cadastre.wire.cilium;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.book.PrinterColumn;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What a node has of Cilium's address management, and what it needs.
final class CiliumNodeKind implements CiliumKind {

    private static final GoStruct PAIR = GoStruct.of("ipv4", "ipv6");

    private static final GoStruct ENI = GoStruct.of(
            "availability-zone",
            "delete-on-termination*",
            "disable-prefix-delegation*",
            "exclude-interface-tags",
            "first-interface-index*",
            "instance-id",
            "instance-type",
            "max-above-watermark",
            "min-allocate",
            "node-subnet-id",
            "pre-allocate",
            "security-group-tags",
            "security-groups",
            "subnet-ids",
            "subnet-tags",
            "use-primary-address*",
            "vpc-id");

    private static final GoStruct ALIBABA = GoStruct.of(
            "availability-zone",
            "cidr-block",
            "instance-type",
            "security-group-tags",
            "security-groups",
            "vpc-id",
            "vswitch-tags",
            "vswitches");

    private static final List<String> COUNTS =
            List.of("min-allocate", "max-allocate", "pre-allocate", "max-above-watermark");

    private static final GoStruct IPAM = GoStruct.of(
                    "ipv6-pool",
                    "max-above-watermark",
                    "max-allocate",
                    "min-allocate",
                    "podCIDRs",
                    "pool",
                    "pre-allocate",
                    "static-ip-tags")
            .with(
                    "pools",
                    GoStruct.of()
                            .with("allocated", GoStruct.of("allowFirstIP", "allowLastIP", "cidrs", "pool"))
                            .with(
                                    "requested",
                                    GoStruct.of("pool").with("needed", GoStruct.of("ipv4-addrs", "ipv6-addrs"))));

    private static final GoStruct STATUS = GoStruct.of("alibaba-cloud", "azure", "eni")
            .with(
                    "ipam",
                    GoStruct.of("assigned-static-ip", "ipv6-used", "pod-cidrs", "release-ips", "release-ipv6s", "used")
                            .with("operator-status", GoStruct.of("error")));

    private static final Traits TRAITS = Traits.of(
                    CiliumNodeDocument.API_VERSION,
                    CiliumNodeDocument.KIND,
                    "ciliumnodes",
                    List.of(CiliumKeys.NODES),
                    PrinterColumn.of(
                            "CILIUMINTERNALIP", PrinterColumn.Width.ALWAYS, node -> address(node, "CiliumInternalIP")),
                    PrinterColumn.of("INTERNALIP", PrinterColumn.Width.ALWAYS, node -> address(node, "InternalIP")),
                    PrinterColumn.age("AGE"),
                    PrinterColumn.wide("PODCIDRS", "/spec/ipam/podCIDRs"),
                    PrinterColumn.wide("ERROR", "/status/ipam/operator-status/error"))
            .writtenWith(GoStruct.KUBERNETES_OBJECT
                    .with(
                            CiliumObjects.SPEC,
                            GoStruct.of("bootid", "instance-id", "nodeidentity")
                                    .with("addresses", GoStruct.of("ip", "type"))
                                    .with("alibaba-cloud", ALIBABA)
                                    .with("azure", GoStruct.of("interface-name"))
                                    .with("encryption", GoStruct.of("key"))
                                    .with("eni", ENI)
                                    .with("health", PAIR)
                                    .with("ingress", PAIR)
                                    .with("ipam", IPAM))
                    .with(CiliumObjects.STATUS, STATUS));

    @Override
    public Traits traits() {
        return TRAITS;
    }

    /// The first address of a type; as kubectl shows it, which filters the list.
    private static String address(JsonNode node, String type) {
        for (var address : node.at("/spec/addresses")) {
            if (address.path("type").asText("").equals(type)) {
                return address.path("ip").asText("-");
            }
        }
        return "-";
    }

    @Override
    public boolean isCalled(String typed) {
        return CiliumKind.super.isCalled(typed) || typed.equalsIgnoreCase("cn") || typed.equalsIgnoreCase("ciliumn");
    }

    @Override
    public Bytes decode(String key, Bytes value) {
        return CiliumNodeDocument.decode(name(key).orElseThrow(), value).encode();
    }

    @Override
    public List<String> broken(CiliumStock stock, String name, ObjectNode json, ObjectNode before) {
        return broken(stock, name, json);
    }

    @Override
    public List<String> broken(CiliumStock stock, String name, ObjectNode json) {
        var reader = new Fields(key(name));
        var ipam = reader.object(reader.object(json, CiliumObjects.SPEC), "ipam");
        var broken = new ArrayList<String>();
        for (var count : COUNTS) {
            checkCount(reader, ipam, count, "spec.ipam." + count, broken::add);
        }
        checkTexts(reader.texts(ipam, "podCIDRs"), "spec.ipam.podCIDRs", Prefix::parse, broken::add);
        for (var entry : reader.object(ipam, "pool").properties()) {
            checkEntry(entry.getKey(), entry.getValue(), broken::add);
        }
        var pools = reader.object(ipam, "pools");
        checkAllocated(reader, pools, broken::add);
        checkRequested(reader, pools, broken::add);
        if (broken.isEmpty()) {
            CiliumNodeDocument.of(name, Json.readObject(key(name), Json.write(json)));
        }
        return broken;
    }

    private static void checkCount(
            Fields reader, ObjectNode parent, String field, String path, Consumer<String> broken) {
        int count = reader.integer(parent.path(field), path);
        if (count < 0) {
            broken.accept("%s: Invalid value: %d: it must be 0 or more".formatted(path, count));
        }
    }

    /// @param reading reads a text, or throws an IllegalArgumentException that says why it cannot
    private static void checkTexts(List<String> texts, String path, Consumer<String> reading, Consumer<String> broken) {
        for (int index = 0; index < texts.size(); index++) {
            checkText(texts.get(index), "%s[%d]".formatted(path, index), reading, broken);
        }
    }

    private static void checkText(String text, String path, Consumer<String> reading, Consumer<String> broken) {
        try {
            reading.accept(text);
        } catch (IllegalArgumentException malformed) {
            broken.accept("%s: Invalid value: \"%s\": %s".formatted(path, text, malformed.getMessage()));
        }
    }

    /// The entries of a map are not structs by name, so their fields are checked here.
    private static void checkEntry(String address, JsonNode entry, Consumer<String> broken) {
        var path = "spec.ipam.pool[%s]".formatted(address);
        checkText(address, path, Address::parse, broken);
        for (var field : entry.properties()) {
            if (!field.getKey().equals("owner") && !field.getKey().equals("resource")) {
                broken.accept("%s: Invalid value: \"%s\": an address has an owner and a resource, and no other field"
                        .formatted(path, field.getKey()));
            }
        }
    }

    private static void checkAllocated(Fields reader, ObjectNode pools, Consumer<String> broken) {
        var allocated = reader.array(pools, "allocated");
        for (int index = 0; index < allocated.size(); index++) {
            var path = "spec.ipam.pools.allocated[%d]".formatted(index);
            if (allocated.get(index) instanceof ObjectNode entry) {
                checkPool(reader, entry, path, broken);
                checkTexts(reader.texts(entry, "cidrs"), path + ".cidrs", Prefix::parse, broken);
            } else {
                broken.accept(path + ": Invalid value: it must be an object");
            }
        }
    }

    private static void checkRequested(Fields reader, ObjectNode pools, Consumer<String> broken) {
        var requested = reader.array(pools, "requested");
        for (int index = 0; index < requested.size(); index++) {
            var path = "spec.ipam.pools.requested[%d]".formatted(index);
            if (requested.get(index) instanceof ObjectNode entry) {
                checkPool(reader, entry, path, broken);
                var needed = reader.object(entry, "needed");
                checkCount(reader, needed, "ipv4-addrs", path + ".needed.ipv4-addrs", broken);
                checkCount(reader, needed, "ipv6-addrs", path + ".needed.ipv6-addrs", broken);
            } else {
                broken.accept(path + ": Invalid value: it must be an object");
            }
        }
    }

    private static void checkPool(Fields reader, ObjectNode entry, String path, Consumer<String> broken) {
        if (reader.text(entry, "pool").isEmpty()) {
            broken.accept(path + ".pool: Required value");
        }
    }
}
