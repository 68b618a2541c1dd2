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
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.SubnetUse;
import io.cadastre.wire.spiderpool.objects.WrittenPool.Sized;
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

    static final String JOINTLY =
            ", total IP addresses of an IPPool are jointly determined by 'spec.ips' and" + " 'spec.excludeIPs'";

    private SpiderPoolRules() {}

    /// Fills in what is left out, has the subnet of its prefix control it, and writes sets of addresses in their fewest
    /// ranges.
    static void complete(ObjectView view, Given given, ObjectNode pool) {
        fillIn(pool);
        if (given.subnets() == SubnetUse.ON) {
            SpiderSubnetRules.adopt(view, given.name(), pool);
        }
    }

    /// Fills in what does not depend on anything else.
    static void fillIn(ObjectNode pool) {
        var reader = new Fields("");
        var spec = Trees.child(pool, Trees.SPEC);
        var metadata = Trees.child(pool, Trees.METADATA);
        putFinalizer(metadata);
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

    static void putFinalizer(ObjectNode metadata) {
        if (metadata.path("finalizers")
                .valueStream()
                .noneMatch(finalizer -> finalizer.asText().equals(Trees.FINALIZER))) {
            metadata.withArray("finalizers").add(Trees.FINALIZER);
        }
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
        var written = WrittenPool.read(pool);
        var faults = first(() -> version(written, families), () -> subnet(written));
        if (!faults.isEmpty()) {
            return faults;
        }
        var sized = written.sized();
        return first(() -> overlappingSubnet(sized, others), () -> content(sized, others));
    }

    /// What is wrong with a pool that is to take the place of a stored one.
    static List<ObjectFault> faultsOfUpdate(
            ObjectNode pool, AddressPool stored, List<AddressPool> others, List<Family> families) {
        var written = WrittenPool.read(pool);
        var faults = first(() -> unchangeable(written, stored.spec().subnet()), () -> version(written, families));
        if (!faults.isEmpty()) {
            return faults;
        }
        var sized = written.sized();
        return first(() -> content(sized, others), () -> inUse(sized, stored));
    }

    /// What a pool is checked for whenever it is written.
    private static List<ObjectFault> content(Sized pool, List<AddressPool> others) {
        return first(
                () -> ranges(pool),
                () -> overlappingAddresses(pool, others),
                () -> gateway(pool),
                () -> routes(pool),
                () -> affinities(pool.written()));
    }

    /// The rules of one group.
    @FunctionalInterface
    interface Group {
        List<ObjectFault> faults();
    }

    static List<ObjectFault> first(Group... groups) {
        return Stream.of(groups)
                .map(Group::faults)
                .filter(faults -> !faults.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    static List<ObjectFault> unchangeable(WrittenPool pool, Prefix stored) {
        var faults = new ArrayList<ObjectFault>();
        if (!pool.version().equals(Integer.toString(IpText.version(stored.family())))) {
            faults.add(ObjectFault.forbidden(VERSION, "is not changeable"));
        }
        if (!pool.subnet().equals(stored.toString())) {
            faults.add(ObjectFault.forbidden(SUBNET, "is not changeable"));
        }
        return faults;
    }

    static List<ObjectFault> version(WrittenPool pool, List<Family> families) {
        if (pool.version().isEmpty()) {
            return List.of(
                    ObjectFault.invalid(VERSION, "null", "is not generated correctly, 'spec.subnet' may be invalid"));
        }
        return family(pool.version())
                .map(family -> disabled(family, families).stream().toList())
                .orElseGet(() -> List.of(unsupported(pool.version())));
    }

    /// The family of a written version.
    static Optional<Family> family(String version) {
        return Stream.of(Family.values())
                .filter(family -> Integer.toString(IpText.version(family)).equals(version))
                .findFirst();
    }

    static ObjectFault unsupported(String version) {
        return ObjectFault.unsupported(VERSION, version, "\"4\", \"6\"");
    }

    static Optional<ObjectFault> disabled(Family family, List<Family> families) {
        return families.contains(family)
                ? Optional.empty()
                : Optional.of(ObjectFault.forbidden(VERSION, family + " is disabled"));
    }

    static List<ObjectFault> subnet(WrittenPool pool) {
        var text = pool.subnet();
        var family = family(pool.version()).orElseThrow();
        var network = IpText.network(family, text);
        if (network.isEmpty()) {
            return List.of(ObjectFault.invalid(SUBNET, text, "invalid CIDR format in %s '%s'".formatted(family, text)));
        }
        return network.get().toString().equals(text)
                ? List.of()
                : List.of(ObjectFault.invalid(
                        SUBNET, text, "unformatted subnet %s, please change it to %s".formatted(text, network.get())));
    }

    private static List<ObjectFault> overlappingSubnet(Sized pool, List<AddressPool> others) {
        return others.stream()
                .filter(other -> !other.spec().subnet().equals(pool.subnet())
                        && other.spec().subnet().overlaps(pool.subnet()))
                .map(other -> ObjectFault.invalid(
                        SUBNET,
                        pool.subnet().toString(),
                        "overlap with IPPool %s which 'spec.subnet' is %s"
                                .formatted(other.name(), other.spec().subnet())))
                .limit(1)
                .toList();
    }

    private static List<ObjectFault> ranges(Sized pool) {
        return Stream.of(pool.written().ips(), pool.written().excludeIps())
                .flatMap(List::stream)
                .flatMap(text -> rangeFault(pool.subnet(), text).stream())
                .map(detail -> ObjectFault.invalid(SUBNET, pool.subnet().toString(), detail))
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

    private static List<ObjectFault> overlappingAddresses(Sized pool, List<AddressPool> others) {
        return others.stream()
                .filter(other ->
                        !pool.effective().intersect(other.spec().effective()).empty())
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

    static List<ObjectFault> gateway(Sized pool) {
        var text = pool.written().gateway();
        if (text.isEmpty()) {
            return List.of();
        }
        var subnet = pool.subnet();
        var gateway = IpText.address(subnet.family(), text);
        if (gateway.isEmpty()) {
            return List.of(ObjectFault.invalid(
                    "spec.gateway", text, "invalid IP format in %s '%s'".formatted(subnet.family(), text)));
        }
        if (!subnet.contains(gateway.get())) {
            return List.of(ObjectFault.invalid("spec.gateway", text, outside(subnet)));
        }
        return pool.effective().contains(gateway.get())
                ? List.of(given(pool.written().ips(), gateway.get()))
                : List.of();
    }

    static String outside(Prefix subnet) {
        return "not pertains to the 'spec.subnet' %s of IPPool".formatted(subnet);
    }

    private static ObjectFault given(List<String> texts, Address gateway) {
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

    static List<ObjectFault> routes(Sized pool) {
        var seen = new TreeSet<String>();
        var routes = pool.written().routes();
        for (int index = 0; index < routes.size(); index++) {
            var fault = routeFault(pool.subnet(), routes.get(index), "spec.routes[%d]".formatted(index));
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

    private static List<ObjectFault> affinities(WrittenPool pool) {
        if (!pool.selectorFaults().isEmpty()) {
            return pool.selectorFaults();
        }
        return switch (pool.podSelection()) {
            case EMPTY ->
                List.of(ObjectFault.invalid("spec.podAffinity", "{}", "empty podAffinity is invalid for SpiderIPPool"));
            case ALL_OR_SOME -> List.of();
        };
    }

    private static List<ObjectFault> inUse(Sized pool, AddressPool stored) {
        return stored.records().entrySet().stream()
                .filter(record -> !pool.effective().contains(record.getKey()))
                .map(record -> ObjectFault.forbidden(
                        IPS,
                        "remove an IP address %s that is being used by Pod %s%s"
                                .formatted(record.getKey(), record.getValue().pod(), JOINTLY)))
                .limit(1)
                .toList();
    }
}
