package io.cadastre.wire.spiderpool.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.subnet.AddressNumber;
import io.cadastre.engine.pool.subnet.ReclaimPolicy;
import io.cadastre.engine.pool.subnet.RequestedSubnets;
import io.cadastre.engine.pool.subnet.RequestedSubnets.Item;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.spiderpool.workload.SpiderAnnotations.AnnotationValue;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the pods of an application say about subnets in their annotations.
public final class SubnetAnnotations {

    private static final String PREFIX = "ipam.spidernet.io/";
    private static final String SUBNET = PREFIX + "subnet";
    private static final String SUBNETS = PREFIX + "subnets";
    private static final String RECLAIM = PREFIX + "ippool-reclaim";

    private static final String FIRST_NIC = "eth0";

    private static final GoStruct ITEM = GoStruct.of("interface", "ipv4", "ipv6");

    /// The texts that Go's `strconv.ParseBool` takes.
    private static final List<String> TRUE = List.of("1", "t", "T", "true", "TRUE", "True");

    private static final List<String> FALSE = List.of("0", "f", "F", "false", "FALSE", "False");

    private SubnetAnnotations() {}

    /// Reads them. A family that is not given is left out.
    public static RequestedSubnets read(SortedMap<String, String> annotations, List<Family> families) {
        var key = annotations.containsKey(SUBNETS) ? SUBNETS : SUBNET;
        if (!annotations.containsKey(key)) {
            return new RequestedSubnets.None();
        }
        try {
            var items = items(key, annotations.getOrDefault(key, ""));
            check(key, items);
            return new RequestedSubnets.Asked(
                    items.stream().map(item -> given(item, families)).toList(),
                    number(annotations),
                    reclaim(annotations));
        } catch (IllegalArgumentException wrong) {
            return new RequestedSubnets.Broken("wrong input, " + wrong.getMessage());
        }
    }

    private static List<Item> items(String key, String text) {
        try {
            var value = AnnotationValue.parse(key, text);
            if (key.equals(SUBNET)) {
                return List.of(item(key, value, value.object(ITEM)));
            }
            var items = new ArrayList<Item>();
            value.objects(ITEM).forEach(object -> items.add(item(key, value, object)));
            return items;
        } catch (UnreadableDocumentException unreadable) {
            throw new IllegalArgumentException(
                    "failed to parse anntation '%s' value '%s': %s".formatted(key, text, unreadable.fault()),
                    unreadable);
        }
    }

    /// Only the first name of each family counts.
    private static Item item(String key, AnnotationValue value, ObjectNode object) {
        var subnets = new TreeMap<Family, String>();
        for (var family : Family.values()) {
            var names = value.fields().texts(object, "ipv" + IpText.version(family));
            if (!names.isEmpty()) {
                if (names.getFirst().isEmpty()) {
                    throw new IllegalArgumentException(
                            "it's invalid to set an empty %s subnet with '%s'".formatted(family, key));
                }
                subnets.put(family, names.getFirst());
            }
        }
        var nic = value.fields().text(object, "interface");
        return new Item(nic.isEmpty() && key.equals(SUBNET) ? FIRST_NIC : nic, subnets);
    }

    private static void check(String key, List<Item> items) {
        if (items.isEmpty()) {
            throw new IllegalArgumentException("annotation '%s': no subnets specified".formatted(key));
        }
        var nics = new TreeSet<String>();
        var subnets = new TreeSet<String>();
        for (var item : items) {
            if (item.subnets().isEmpty()) {
                throw new IllegalArgumentException("it's invalid to set dual empty subnet with '%s'".formatted(key));
            }
            if (item.nic().isEmpty()) {
                throw new IllegalArgumentException(
                        "annotation '%s': each item names its interface, for example \"interface\":\"eth0\""
                                .formatted(key));
            }
            if (!nics.add(item.nic())) {
                throw new IllegalArgumentException(
                        "annotation '%s': it's invalid to use the same Interface name %s twice"
                                .formatted(key, item.nic()));
            }
            for (var subnet : item.subnets().values()) {
                if (!subnets.add(subnet)) {
                    throw new IllegalArgumentException(
                            "annotation '%s': it's invalid to use the same subnet for multiple interfaces: %s"
                                    .formatted(key, subnet));
                }
            }
        }
    }

    private static Item given(Item item, List<Family> families) {
        var subnets = new TreeMap<>(item.subnets());
        subnets.keySet().retainAll(families);
        return new Item(item.nic(), subnets);
    }

    private static AddressNumber number(SortedMap<String, String> annotations) {
        return annotations.containsKey(AddressNumber.ANNOTATION)
                ? AddressNumber.parse(annotations.getOrDefault(AddressNumber.ANNOTATION, ""))
                : new AddressNumber.Unset();
    }

    private static ReclaimPolicy reclaim(SortedMap<String, String> annotations) {
        var text = annotations.getOrDefault(RECLAIM, "true");
        if (!TRUE.contains(text) && !FALSE.contains(text)) {
            throw new IllegalArgumentException(
                    "failed to parse spider subnet '%s' value '%s': write true or false".formatted(RECLAIM, text));
        }
        return TRUE.contains(text) ? ReclaimPolicy.RECLAIM : ReclaimPolicy.KEEP;
    }
}
