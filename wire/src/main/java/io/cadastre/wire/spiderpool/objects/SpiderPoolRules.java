package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a pool is completed with, and which rules it must keep, in the order in which upstream checks them:
/// the first group with a broken rule is reported.
final class SpiderPoolRules {

    private static final String SUBNET = "spec.subnet";
    private static final String IPS = "spec.ips";
    private static final String VERSION = "spec.ipVersion";
    private static final String CIDR_LABEL = "ipam.spidernet.io/ippool-cidr";
    private static final String SUBNET_LABEL = "ipam.spidernet.io/owner-spider-subnet";

    private static final String JOINTLY =
            ", total IP addresses of an IPPool are jointly determined by 'spec.ips' and" + " 'spec.excludeIPs'";

    private SpiderPoolRules() {}

    /// Fills in what is left out, and writes sets of addresses in their fewest ranges.
    static void complete(ObjectNode pool) {
        var reader = new Fields("");
        var spec = Trees.child(pool, Trees.SPEC);
        var metadata = Trees.child(pool, Trees.METADATA);
        if (metadata.path("finalizers")
                .valueStream()
                .noneMatch(finalizer -> finalizer.asText().equals(Trees.FINALIZER))) {
            metadata.withArray("finalizers").add(Trees.FINALIZER);
        }
        putIfAbsent(spec, "default");
        putIfAbsent(spec, "disable");
        IpText.network(reader.text(spec, "subnet")).ifPresent(subnet -> {
            if (Fields.absent(spec.path("ipVersion"))) {
                spec.put("ipVersion", IpText.version(subnet.family()));
            }
            Trees.child(metadata, "labels").put(CIDR_LABEL, IpText.label(subnet));
            canonicalise(reader, spec, "ips", subnet.family());
            canonicalise(reader, spec, "excludeIPs", subnet.family());
        });
    }

    private static void putIfAbsent(ObjectNode spec, String flag) {
        if (Fields.absent(spec.path(flag))) {
            spec.put(flag, false);
        }
    }

    /// A single entry stays as it is written, and so does a list with something else in it.
    static void canonicalise(Fields reader, ObjectNode spec, String name, Family family) {
        var texts = reader.texts(spec, name);
        var ranges = texts.stream()
                .flatMap(text -> IpText.range(family, text).stream())
                .toList();
        if (texts.size() > 1 && ranges.size() == texts.size()) {
            var array = spec.putArray(name);
            IpText.texts(new RangeSet(ranges)).forEach(array::add);
        }
    }

    /// What is wrong with a pool that is to be created.
    ///
    /// @param others the pools that are there
    static List<ObjectFault> faultsOfCreation(ObjectNode pool, List<AddressPool> others, List<Family> families) {
        var reader = new Fields("");
        var spec = reader.object(pool, Trees.SPEC);
        return first(
                () -> foreign(reader, pool),
                () -> version(reader, spec, families),
                () -> subnet(reader, spec),
                () -> overlappingSubnet(reader, spec, others),
                () -> ranges(reader, spec),
                () -> overlappingAddresses(reader, pool, others),
                () -> gateway(reader, spec),
                () -> routes(reader, spec),
                () -> affinities(reader, spec));
    }

    /// What is wrong with a pool that is to take the place of a stored one.
    static List<ObjectFault> faultsOfUpdate(
            ObjectNode pool, AddressPool stored, List<AddressPool> others, List<Family> families) {
        var reader = new Fields("");
        var spec = reader.object(pool, Trees.SPEC);
        return first(
                () -> foreign(reader, pool),
                () -> unchangeable(reader, spec, stored),
                () -> version(reader, spec, families),
                () -> ranges(reader, spec),
                () -> overlappingAddresses(reader, pool, others),
                () -> gateway(reader, spec),
                () -> routes(reader, spec),
                () -> affinities(reader, spec),
                () -> inUse(reader, pool, stored));
    }

    /// The rules of one group.
    @FunctionalInterface
    private interface Group {
        List<ObjectFault> faults();
    }

    private static List<ObjectFault> first(Group... groups) {
        return Stream.of(groups)
                .map(Group::faults)
                .filter(faults -> !faults.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /// A pool of a subnet has as many addresses as the subnet gives it, which is not known here.
    private static List<ObjectFault> foreign(Fields reader, ObjectNode pool) {
        var metadata = reader.object(pool, Trees.METADATA);
        return Optional.ofNullable(reader.textMap(metadata, "labels").get(SUBNET_LABEL)).stream()
                .map(subnet -> ObjectFault.forbidden(
                        "metadata.labels[%s]".formatted(SUBNET_LABEL),
                        "SpiderSubnets are not supported here, and this IPPool is" + " of SpiderSubnet " + subnet))
                .toList();
    }

    private static List<ObjectFault> unchangeable(Fields reader, ObjectNode spec, AddressPool stored) {
        var faults = new ArrayList<ObjectFault>();
        int version = reader.integer(spec.path("ipVersion"), VERSION);
        if (version != IpText.version(stored.family())) {
            faults.add(ObjectFault.forbidden(VERSION, "is not changeable"));
        }
        if (!reader.text(spec, "subnet").equals(stored.spec().subnet().toString())) {
            faults.add(ObjectFault.forbidden(SUBNET, "is not changeable"));
        }
        return faults;
    }

    private static List<ObjectFault> version(Fields reader, ObjectNode spec, List<Family> families) {
        if (Fields.absent(spec.path("ipVersion"))) {
            return List.of(
                    ObjectFault.invalid(VERSION, "null", "is not generated correctly, 'spec.subnet' may be invalid"));
        }
        return version(reader, spec).stream()
                .flatMap(family -> disabled(family, families).stream())
                .findFirst()
                .map(List::of)
                .orElseGet(() -> unsupported(reader, spec));
    }

    static Optional<Family> version(Fields reader, ObjectNode spec) {
        int version = reader.integer(spec.path("ipVersion"), VERSION);
        return Stream.of(Family.values())
                .filter(family -> IpText.version(family) == version)
                .findFirst();
    }

    static List<ObjectFault> unsupported(Fields reader, ObjectNode spec) {
        return version(reader, spec).isPresent()
                ? List.of()
                : List.of(
                        ObjectFault.unsupported(VERSION, spec.path("ipVersion").toString(), "\"4\", \"6\""));
    }

    static Optional<ObjectFault> disabled(Family family, List<Family> families) {
        return families.contains(family)
                ? Optional.empty()
                : Optional.of(ObjectFault.forbidden(VERSION, family + " is disabled"));
    }

    private static List<ObjectFault> subnet(Fields reader, ObjectNode spec) {
        var text = reader.text(spec, "subnet");
        var family = version(reader, spec).orElseThrow();
        var network = IpText.network(family, text);
        if (network.isEmpty()) {
            return List.of(ObjectFault.invalid(SUBNET, text, "invalid CIDR format in %s '%s'".formatted(family, text)));
        }
        return network.get().toString().equals(text)
                ? List.of()
                : List.of(ObjectFault.invalid(
                        SUBNET, text, "unformatted subnet %s, please change it to %s".formatted(text, network.get())));
    }

    private static Prefix prefix(Fields reader, ObjectNode spec) {
        return IpText.network(reader.text(spec, "subnet")).orElseThrow();
    }

    private static List<ObjectFault> overlappingSubnet(Fields reader, ObjectNode spec, List<AddressPool> others) {
        var subnet = prefix(reader, spec);
        return others.stream()
                .filter(other -> !other.spec().subnet().equals(subnet)
                        && other.spec().subnet().overlaps(subnet))
                .map(other -> ObjectFault.invalid(
                        SUBNET,
                        subnet.toString(),
                        "overlap with IPPool %s which 'spec.subnet' is %s"
                                .formatted(other.name(), other.spec().subnet())))
                .limit(1)
                .toList();
    }

    private static List<ObjectFault> ranges(Fields reader, ObjectNode spec) {
        var subnet = prefix(reader, spec);
        return Stream.of("ips", "excludeIPs")
                .flatMap(name -> reader.texts(spec, name).stream())
                .flatMap(text -> rangeFault(subnet, text).stream())
                .map(detail -> ObjectFault.invalid(SUBNET, subnet.toString(), detail))
                .limit(1)
                .toList();
    }

    /// Upstream takes a range that ends before it begins, and then never gives anything of it.
    private static Optional<String> rangeFault(Prefix subnet, String text) {
        var parts = text.split("-", -1);
        if (parts.length > 2) {
            return Optional.of("invalid range: " + text);
        }
        for (var part : parts) {
            var address = IpText.address(part);
            if (address.isEmpty()) {
                return Optional.of("invalid IP address: " + part);
            }
            if (!subnet.contains(address.get())) {
                return Optional.of("not match base subnet: " + text);
            }
        }
        return IpText.range(subnet.family(), text).isPresent()
                ? Optional.empty()
                : Optional.of("invalid range: " + text);
    }

    private static RangeSet effective(Fields reader, ObjectNode spec) {
        var family = prefix(reader, spec).family();
        return set(reader, spec, "ips", family).minus(set(reader, spec, "excludeIPs", family));
    }

    private static RangeSet set(Fields reader, ObjectNode spec, String name, Family family) {
        return new RangeSet(reader.texts(spec, name).stream()
                .flatMap(text -> IpText.range(family, text).stream())
                .toList());
    }

    private static List<ObjectFault> overlappingAddresses(Fields reader, ObjectNode pool, List<AddressPool> others) {
        var spec = reader.object(pool, Trees.SPEC);
        var effective = effective(reader, spec);
        return others.stream()
                .filter(other -> !effective.intersect(other.spec().effective()).empty())
                .map(other -> ObjectFault.forbidden(
                        IPS,
                        "overlap with IPPool %s in IP ranges [%s]%s"
                                .formatted(
                                        other.name(),
                                        String.join(
                                                " ",
                                                other.spec().ips().stream()
                                                        .map(IpText::text)
                                                        .toList()),
                                        JOINTLY)))
                .limit(1)
                .toList();
    }

    private static List<ObjectFault> gateway(Fields reader, ObjectNode spec) {
        var text = reader.text(spec, "gateway");
        if (text.isEmpty()) {
            return List.of();
        }
        var subnet = prefix(reader, spec);
        var gateway = IpText.address(subnet.family(), text);
        if (gateway.isEmpty()) {
            return List.of(ObjectFault.invalid(
                    "spec.gateway", text, "invalid IP format in %s '%s'".formatted(subnet.family(), text)));
        }
        if (!subnet.contains(gateway.get())) {
            return List.of(ObjectFault.invalid("spec.gateway", text, outside(subnet)));
        }
        return effective(reader, spec).contains(gateway.get())
                ? List.of(given(reader, spec, gateway.get()))
                : List.of();
    }

    private static String outside(Prefix subnet) {
        return "not pertains to the 'spec.subnet' %s of IPPool".formatted(subnet);
    }

    private static ObjectFault given(Fields reader, ObjectNode spec, Address gateway) {
        var texts = reader.texts(spec, "ips");
        int index = 0;
        while (IpText.range(gateway.family(), texts.get(index))
                .filter((Range range) -> range.contains(gateway))
                .isEmpty()) {
            index++;
        }
        return ObjectFault.invalid(
                "%s[%d]".formatted(IPS, index),
                texts.get(index),
                "conflicts with 'spec.gateway' %s, add the gateway IP address to 'spec.excludeIPs' or remove it from 'spec.ips'"
                        .formatted(gateway));
    }

    private static List<ObjectFault> routes(Fields reader, ObjectNode spec) {
        var subnet = prefix(reader, spec);
        var seen = new TreeSet<String>();
        var routes = PoolForm.routes(reader, spec, "routes");
        for (int index = 0; index < routes.size(); index++) {
            var fault = routeFault(subnet, routes.get(index), "spec.routes[%d]".formatted(index));
            if (fault.isPresent()) {
                return List.of(fault.get());
            }
            if (!seen.add(routes.get(index).dst())) {
                return List.of(ObjectFault.invalid(
                        "spec.routes[%d].dst".formatted(index),
                        routes.get(index).dst(),
                        "duplicate route with the same dst"));
            }
        }
        return List.of();
    }

    private static Optional<ObjectFault> routeFault(Prefix subnet, PodRoute route, String field) {
        var family = subnet.family();
        var destination = IpText.network(family, route.dst());
        if (destination.isEmpty()) {
            return Optional.of(ObjectFault.invalid(
                    field + ".dst", route.dst(), "invalid CIDR format in %s '%s'".formatted(family, route.dst())));
        }
        if (destination.get().length() == 0) {
            return Optional.of(ObjectFault.invalid(
                    field + ".dst", route.dst(), "please specify 'spec.gateway' to configure the default route"));
        }
        return IpText.address(family, route.gw()).filter(subnet::contains).isPresent()
                ? Optional.empty()
                : Optional.of(ObjectFault.invalid(field + ".gw", route.gw(), outside(subnet)));
    }

    private static List<ObjectFault> affinities(Fields reader, ObjectNode spec) {
        var faults = Stream.of("podAffinity", "nodeAffinity", "namespaceAffinity")
                .flatMap(name -> SelectorForm.faults(reader, spec, name).stream())
                .toList();
        if (!faults.isEmpty()) {
            return faults;
        }
        return PoolForm.affinity(reader, spec)
                        .pods()
                        .filter(selector -> selector.empty())
                        .isPresent()
                ? List.of(
                        ObjectFault.invalid("spec.podAffinity", "{}", "empty podAffinity is invalid for SpiderIPPool"))
                : List.of();
    }

    private static List<ObjectFault> inUse(Fields reader, ObjectNode pool, AddressPool stored) {
        var effective = effective(reader, reader.object(pool, Trees.SPEC));
        return stored.records().entrySet().stream()
                .filter(record -> !effective.contains(record.getKey()))
                .map(record -> ObjectFault.forbidden(
                        IPS,
                        "remove an IP address %s that is being used by Pod %s%s"
                                .formatted(record.getKey(), record.getValue().pod(), JOINTLY)))
                .limit(1)
                .toList();
    }
}
