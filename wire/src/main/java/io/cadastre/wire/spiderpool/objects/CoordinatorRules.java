package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.pool.IpText;
import io.cadastre.wire.json.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What the settings of a coordinator must be, in a SpiderCoordinator and in a SpiderMultusConfig.
final class CoordinatorRules {

    private static final List<String> MODES = List.of("auto", "underlay", "overlay", "disabled");
    private static final List<String> CIDR_TYPES = List.of("auto", "cluster", "calico", "cilium", "none");

    private static final Pattern MAC_PREFIX = Pattern.compile("[0-9a-fA-F]{2}:[0-9a-fA-F]{2}");

    private static final int REVERSE_PATH_FILTER_MAX = 2;
    private static final int RULE_TABLE = 500;
    private static final int MTU = 1500;

    private CoordinatorRules() {}

    /// Adds what users may leave out.
    static void complete(ObjectNode spec) {
        if (Fields.absent(spec.path("mode"))) {
            spec.put("mode", MODES.getFirst());
        }
        if (Fields.absent(spec.path("tunePodRoutes"))) {
            spec.put("tunePodRoutes", true);
        }
        setNumber(spec, "hostRuleTable", RULE_TABLE);
        setNumber(spec, "podRPFilter", 0);
        setNumber(spec, "txQueueLen", 0);
        setNumber(spec, "vethMTU", MTU);
    }

    private static void setNumber(ObjectNode spec, String name, int number) {
        if (Fields.absent(spec.path(name))) {
            spec.put(name, number);
        }
    }

    /// @param place where the settings stand
    static List<ObjectFault> faults(ObjectNode spec, String place) {
        var reader = new Fields("");
        var faults = new ArrayList<ObjectFault>();
        checkOneOf(faults, place + ".mode", reader.text(spec, "mode"), MODES);
        checkOneOf(faults, place + ".podCIDRType", reader.text(spec, "podCIDRType"), CIDR_TYPES);
        var hijacked = reader.texts(spec, "hijackCIDR");
        for (int index = 0; index < hijacked.size(); index++) {
            if (familyOfRange(hijacked.get(index)).isEmpty()) {
                faults.add(ObjectFault.invalid(
                        "%s.hijackCIDR[%d]".formatted(place, index),
                        hijacked.get(index),
                        "it is neither an IP address nor a CIDR"));
            }
        }
        checkRoutes(faults, reader, spec, place);
        checkMacPrefix(faults, place, reader.text(spec, "podMACPrefix"));
        checkNumbers(faults, reader, spec, place);
        var link = reader.text(spec, "vethLinkAddress");
        if (!link.isEmpty() && familyOfAddress(link).isEmpty()) {
            faults.add(ObjectFault.invalid(place + ".vethLinkAddress", link, "it is not an IP address"));
        }
        reader.flag(spec, "tunePodRoutes");
        reader.text(spec, "podDefaultRouteNIC");
        return faults;
    }

    private static void checkOneOf(List<ObjectFault> faults, String place, String word, List<String> words) {
        if (!word.isEmpty() && !words.contains(word)) {
            faults.add(ObjectFault.unsupported(place, "\"" + word + "\"", "\"" + String.join("\", \"", words) + "\""));
        }
    }

    private static void checkRoutes(List<ObjectFault> faults, Fields reader, ObjectNode spec, String place) {
        var routes = reader.array(spec, "policyRoutes");
        for (int index = 0; index < routes.size(); index++) {
            if (!(routes.get(index) instanceof ObjectNode route)) {
                throw reader.wrong("policyRoutes", "an array of objects");
            }
            var at = "%s.policyRoutes[%d]".formatted(place, index);
            var dst = familyOfRange(reader.text(route, "dst"));
            var gw = familyOfAddress(reader.text(route, "gw"));
            if (dst.isEmpty()) {
                faults.add(ObjectFault.invalid(
                        at + ".dst", reader.text(route, "dst"), "it is neither an IP address nor a CIDR"));
            }
            if (gw.isEmpty()) {
                faults.add(ObjectFault.invalid(at + ".gw", reader.text(route, "gw"), "it is not an IP address"));
            }
            if (dst.isPresent() && gw.isPresent() && !dst.equals(gw)) {
                faults.add(ObjectFault.invalid(at, reader.text(route, "gw"), "dst and gw must use the same IP family"));
            }
        }
    }

    private static void checkMacPrefix(List<ObjectFault> faults, String place, String prefix) {
        if (prefix.isEmpty()) {
            return;
        }
        if (!MAC_PREFIX.matcher(prefix).matches()) {
            faults.add(ObjectFault.invalid(
                    place + ".podMACPrefix", prefix, "not a valid MAC prefix; it has two bytes, for example 0a:1b"));
        } else if (Integer.parseInt(prefix.substring(0, 2), 16) % 2 != 0) {
            faults.add(ObjectFault.invalid(
                    place + ".podMACPrefix", prefix, "not a unicast MAC: the lowest bit of the first byte must be 0"));
        }
    }

    private static void checkNumbers(List<ObjectFault> faults, Fields reader, ObjectNode spec, String place) {
        reader.integer(spec.path("hostRuleTable"), "hostRuleTable");
        // A negative one leaves the filter as it is.
        int filter = reader.integer(spec.path("podRPFilter"), "podRPFilter");
        if (filter > REVERSE_PATH_FILTER_MAX) {
            faults.add(
                    ObjectFault.unsupported(place + ".podRPFilter", Integer.toString(filter), "\"0\", \"1\", \"2\""));
        }
        int length = reader.integer(spec.path("txQueueLen"), "txQueueLen");
        if (length < 0) {
            faults.add(ObjectFault.invalid(
                    place + ".txQueueLen", Integer.toString(length), "it must be greater than or equal to 0"));
        }
        int mtu = reader.integer(spec.path("vethMTU"), "vethMTU");
        if (!Fields.absent(spec.path("vethMTU")) && mtu < 1) {
            faults.add(ObjectFault.invalid(place + ".vethMTU", Integer.toString(mtu), "it must be greater than 0"));
        }
    }

    private static Optional<Family> familyOfAddress(String text) {
        return IpText.address(text).map(Address::family);
    }

    /// Of an address or a CIDR.
    private static Optional<Family> familyOfRange(String text) {
        return text.indexOf('/') < 0
                ? familyOfAddress(text)
                : IpText.network(text).map(prefix -> prefix.first().family());
    }
}
