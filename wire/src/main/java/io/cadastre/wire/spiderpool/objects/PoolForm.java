package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolAffinity;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The spec of a stored pool.
///
/// A value that makes no sense is damage, not an error: pods keep the addresses that they have of the pool,
/// and the pool only gives nothing and takes nothing back.
record PoolForm(PoolSpec spec, String damage) {

    static PoolForm read(Fields reader, ObjectNode json) {
        var text = reader.text(json, "subnet");
        var subnet = IpText.network(text).orElseThrow(() -> reader.wrong("spec.subnet", "a CIDR"));
        var family = subnet.family();
        var faults = new ArrayList<String>();
        int version = reader.integer(json.path("ipVersion"), "spec.ipVersion");
        if (version != 0 && version != IpText.version(family)) {
            faults.add("its ipVersion is %d and its subnet is %s".formatted(version, subnet));
        }
        var spec = new PoolSpec(
                subnet,
                ips(reader.texts(json, "ips"), family, faults),
                excluded(reader.texts(json, "excludeIPs"), family, faults),
                gateway(reader.text(json, "gateway"), family, faults),
                routes(reader, json, "routes"),
                affinity(reader, json, faults),
                reader.flag(json, "default") ? Preference.DEFAULT : Preference.NAMED,
                reader.flag(json, "disable") ? Giving.DISABLED : Giving.ENABLED);
        return new PoolForm(spec, String.join("; ", faults));
    }

    /// A range that ends before it begins has no addresses.
    private static List<Range> ips(List<String> texts, Family family, List<String> faults) {
        var ranges = new ArrayList<Range>();
        for (var text : texts) {
            var range = IpText.range(family, text);
            range.ifPresent(ranges::add);
            if (range.isEmpty() && !IpText.reversed(family, text)) {
                faults.add(noRange(family, text));
            }
        }
        return ranges;
    }

    private static RangeSet excluded(List<String> texts, Family family, List<String> faults) {
        var ranges = new ArrayList<Range>();
        for (var text : texts) {
            IpText.range(family, text).ifPresentOrElse(ranges::add, () -> faults.add(noRange(family, text)));
        }
        return new RangeSet(ranges);
    }

    static String noRange(Family family, String text) {
        return "invalid IP range format in %s '%s'".formatted(family, text);
    }

    private static Optional<Address> gateway(String text, Family family, List<String> faults) {
        var gateway = IpText.address(family, text);
        if (!text.isEmpty() && gateway.isEmpty()) {
            faults.add("invalid IP format in %s '%s'".formatted(family, text));
        }
        return gateway;
    }

    static List<PodRoute> routes(Fields reader, ObjectNode json, String name) {
        return reader.objects(json, name, NonObjects.REFUSED).stream()
                .map(route -> new PodRoute(reader.text(route, "dst"), reader.text(route, "gw")))
                .toList();
    }

    /// A pool must not give anything while it is unknown which pods it is for.
    private static PoolAffinity affinity(Fields reader, ObjectNode json, List<String> faults) {
        try {
            return affinity(reader, json);
        } catch (UnreadableDocumentException unreadable) {
            faults.add(unreadable.fault());
            return PoolAffinity.NONE;
        }
    }

    static PoolAffinity affinity(Fields reader, ObjectNode json) {
        return new PoolAffinity(
                SelectorForm.find(reader, json, "podAffinity"),
                reader.texts(json, "nodeName"),
                SelectorForm.find(reader, json, "nodeAffinity"),
                reader.texts(json, "namespaceName"),
                SelectorForm.find(reader, json, "namespaceAffinity"),
                reader.texts(json, "multusName"));
    }
}
