package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.subnet.PoolSubnet;
import io.cadastre.engine.pool.subnet.PreAllocation;
import io.cadastre.engine.pool.subnet.SubnetEngine;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import io.cadastre.wire.spiderpool.objects.WrittenPool.Sized;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a subnet is completed with, which rules it must keep, and which a pool of one must keep.
final class SpiderSubnetRules {

    private static final String SUBNET = "spec.subnet";
    private static final String IPS = "spec.ips";
    private static final String POD_AFFINITY = "spec.podAffinity";

    private SpiderSubnetRules() {}

    // ---- subnets ----

    static void complete(ObjectNode subnet) {
        var reader = new Fields("");
        var spec = Trees.child(subnet, Trees.SPEC);
        var metadata = Trees.child(subnet, Trees.METADATA);
        SpiderPoolRules.putFinalizer(metadata);
        IpText.network(reader.text(spec, "subnet")).ifPresent(cidr -> {
            if (Fields.absent(spec.path("ipVersion"))) {
                spec.put("ipVersion", IpText.version(cidr.family()));
            }
            Trees.child(metadata, "labels").put(SpiderSubnetDocument.CIDR_LABEL, IpText.label(cidr));
            SpiderPoolRules.canonicalise(reader, spec, "ips", cidr.family());
            SpiderPoolRules.canonicalise(reader, spec, "excludeIPs", cidr.family());
        });
    }

    static List<ObjectFault> faultsOfCreation(ObjectView view, Given given, ObjectNode json) {
        var written = WrittenPool.read(json);
        return SpiderPoolRules.first(
                () -> SpiderPoolRules.version(written, given.families()),
                () -> SpiderPoolRules.subnet(written),
                () -> content(view, given, written.sized()));
    }

    static List<ObjectFault> faultsOfUpdate(ObjectView view, Given given, ObjectNode json, PoolSubnet stored) {
        var written = WrittenPool.read(json);
        return SpiderPoolRules.first(
                () -> SpiderPoolRules.unchangeable(written, stored.subnet()),
                () -> SpiderPoolRules.version(written, given.families()),
                () -> content(view, given, written.sized()),
                () -> damaged(stored),
                () -> inUse(written.sized(), stored));
    }

    private static List<ObjectFault> content(ObjectView view, Given given, Sized subnet) {
        return SpiderPoolRules.first(
                () -> overlappingSubnet(view, given, subnet),
                () -> ranges(subnet),
                () -> overlappingPool(view, given, subnet),
                () -> SpiderPoolRules.gateway(subnet),
                () -> SpiderPoolRules.routes(subnet));
    }

    private static List<ObjectFault> overlappingSubnet(ObjectView view, Given given, Sized subnet) {
        return view.subnets().stream()
                .map(SpiderSubnetDocument::subnet)
                .filter(other ->
                        !other.name().equals(given.name()) && other.subnet().overlaps(subnet.subnet()))
                .map(other -> ObjectFault.invalid(
                        SUBNET,
                        subnet.subnet().toString(),
                        "overlap with Subnet %s which 'spec.subnet' is %s".formatted(other.name(), other.subnet())))
                .limit(1)
                .toList();
    }

    private static List<ObjectFault> overlappingPool(ObjectView view, Given given, Sized subnet) {
        var cidr = subnet.subnet();
        for (var pool : view.poolsBut("")) {
            if (!pool.spec().subnet().overlaps(cidr)) {
                continue;
            }
            if (!pool.spec().subnet().equals(cidr)) {
                return List.of(ObjectFault.invalid(
                        SUBNET,
                        cidr.toString(),
                        "overlap with SpiderIPPool '%s' resource 'spec.subnet' %s"
                                .formatted(pool.name(), pool.spec().subnet())));
            }
            if (!pool.spec().effective().minus(subnet.effective()).empty()) {
                return List.of(ObjectFault.forbidden(
                        IPS,
                        "SpiderIPPool '%s' owns some IP addresses that SpiderSubnet '%s' can't control"
                                .formatted(pool.name(), given.name())));
            }
        }
        return List.of();
    }

    private static List<ObjectFault> ranges(Sized subnet) {
        return Stream.of(
                        Map.entry(IPS, subnet.written().ips()),
                        Map.entry("spec.excludeIPs", subnet.written().excludeIps()))
                .flatMap(field -> ranges(field.getKey(), field.getValue(), subnet.subnet()).stream())
                .toList();
    }

    private static List<ObjectFault> ranges(String field, List<String> texts, Prefix subnet) {
        var faults = new ArrayList<ObjectFault>();
        for (int index = 0; index < texts.size(); index++) {
            var text = texts.get(index);
            var place = "%s[%d]".formatted(field, index);
            var range = IpText.range(subnet.family(), text);
            if (range.isEmpty()) {
                faults.add(ObjectFault.invalid(place, text, PoolForm.noRange(subnet.family(), text)));
            } else if (!subnet.range().contains(range.get())) {
                faults.add(ObjectFault.invalid(place, text, SpiderPoolRules.outside(subnet)));
            }
        }
        return faults;
    }

    private static List<ObjectFault> damaged(PoolSubnet stored) {
        return stored.damaged()
                ? List.of(ObjectFault.forbidden(
                        "status.controlledIPPools", "cannot tell which IPPools have its addresses: " + stored.damage()))
                : List.of();
    }

    private static List<ObjectFault> inUse(Sized subnet, PoolSubnet stored) {
        return stored.preAllocations().entrySet().stream()
                .filter(entry ->
                        !entry.getValue().addresses().minus(subnet.effective()).empty())
                .map(entry -> ObjectFault.forbidden(
                        IPS,
                        "remove some IP ranges %s that is being used by IPPool %s%s"
                                .formatted(
                                        texts(entry.getValue().addresses().minus(subnet.effective())),
                                        entry.getKey(),
                                        SpiderPoolRules.JOINTLY.replace("an IPPool", "an Subnet"))))
                .limit(1)
                .toList();
    }

    /// As Go prints a list of texts.
    private static String texts(RangeSet addresses) {
        return "[" + String.join(" ", IpText.texts(addresses)) + "]";
    }

    // ---- pools of subnets ----

    /// Has the subnet of the pool's prefix control the pool, unless one does.
    static void adopt(ObjectView view, String name, ObjectNode pool) {
        var cidr = IpText.network(new Fields("").text(Trees.child(pool, Trees.SPEC), "subnet"));
        if (cidr.isEmpty()) {
            return;
        }
        var found = view.subnets().stream()
                .filter(subnet -> subnet.subnet().subnet().equals(cidr.get()))
                .filter(subnet -> !subnet.subnet().terminating())
                .findFirst();
        if (found.isPresent()) {
            var read = SpiderPoolDocument.of(name, pool);
            if (SubnetPoolDocument.read(read, List.of(found.get())).subnet().isEmpty()) {
                SubnetPoolDocument.adopt(
                        pool,
                        found.get(),
                        SubnetEngine.inheriting(read.pool(), found.get().subnet()));
            }
        }
    }

    /// What is wrong with a pool beside others: with the selector of one of an application, and with addresses that its
    /// subnet does not have, or has for another pool.
    static List<ObjectFault> faultsOfPool(ObjectView view, Given given, ObjectNode json) {
        return SpiderPoolRules.first(() -> selector(json), () -> addresses(view, given, json));
    }

    private static List<ObjectFault> selector(ObjectNode json) {
        if (!SubnetPoolDocument.isForApplication(json)) {
            return List.of();
        }
        var selector = SpiderPoolDocument.of(json.at("/metadata/name").asText(), json)
                .pool()
                .spec()
                .affinity()
                .pods();
        boolean foreign = selector.isPresent()
                && (!selector.get().requirements().isEmpty()
                        || !SubnetPoolDocument.SELECTOR_LABELS.containsAll(
                                selector.get().matchLabels().keySet()));
        return foreign
                ? List.of(ObjectFault.invalid(
                        POD_AFFINITY,
                        json.at("/spec/podAffinity").toString(),
                        "the podAffinity of an auto-created IPPool has matchLabels of its application only: %s"
                                .formatted(String.join(", ", SubnetPoolDocument.SELECTOR_LABELS))))
                : List.of();
    }

    private static List<ObjectFault> addresses(ObjectView view, Given given, ObjectNode json) {
        var controller = given.subnets() == SubnetUse.ON ? controller(view, json) : Optional.<PoolSubnet>empty();
        if (controller.isEmpty()) {
            return List.of();
        }
        var subnet = controller.get();
        var pool = SpiderPoolDocument.of(given.name(), json).pool().spec().effective();
        return SpiderPoolRules.first(
                () -> uncontrolled(subnet, pool),
                () -> SubnetPoolDocument.isForApplication(json)
                        ? unlikeItsPreAllocation(subnet, given.name(), pool)
                        : promised(subnet, given.name(), pool));
    }

    private static Optional<PoolSubnet> controller(ObjectView view, ObjectNode json) {
        return SubnetPoolDocument.findController(json)
                .flatMap(name -> view.subnets().stream()
                        .map(SpiderSubnetDocument::subnet)
                        .filter(subnet -> subnet.name().equals(name))
                        .findFirst());
    }

    private static List<ObjectFault> uncontrolled(PoolSubnet subnet, RangeSet pool) {
        var outside = pool.minus(subnet.addresses());
        return outside.empty()
                ? List.of()
                : List.of(ObjectFault.forbidden(
                        IPS,
                        "add some IP ranges %s that are not contained in controller Subnet %s%s"
                                .formatted(texts(outside), subnet.name(), SpiderPoolRules.JOINTLY)));
    }

    private static List<ObjectFault> unlikeItsPreAllocation(PoolSubnet subnet, String name, RangeSet pool) {
        boolean same = Optional.ofNullable(subnet.preAllocations().get(name))
                .map(PreAllocation::addresses)
                .filter(pool::equals)
                .isPresent();
        return same
                ? List.of()
                : List.of(ObjectFault.forbidden(
                        IPS,
                        "it's illegal to update AutoPool.Spec.IPs that are different from corresponding"
                                + " SpiderSubnet.Status.ControlledIPPools"));
    }

    /// Upstream finds that when the other pool is created, and then cannot create it.
    private static List<ObjectFault> promised(PoolSubnet subnet, String name, RangeSet pool) {
        return subnet.preAllocations().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(name))
                .filter(entry -> entry.getValue().forApplication())
                .filter(entry -> !entry.getValue().addresses().intersect(pool).empty())
                .map(entry -> ObjectFault.forbidden(
                        IPS,
                        "IP ranges %s are pre-allocated to IPPool %s by Subnet %s; choose other addresses"
                                .formatted(
                                        texts(entry.getValue().addresses().intersect(pool)),
                                        entry.getKey(),
                                        subnet.name())))
                .limit(1)
                .toList();
    }
}
