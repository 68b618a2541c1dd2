package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import io.cadastre.wire.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a pod and its namespace ask of Calico's plugins by annotations. Each is read when it is asked
/// for, and may be unreadable then.
///
/// All lists are JSON in the text of an annotation.
public record CalicoAnnotations(SortedMap<String, String> namespace, SortedMap<String, String> pod) {

    public static final CalicoAnnotations NONE = of(Map.of(), Map.of());

    private static final String OURS = "cni.projectcalico.org/";
    private static final String IP_FAMILIES = OURS + "ipFamilies";
    private static final String IP_ADDRS = OURS + "ipAddrs";
    private static final String IP_ADDRS_NO_IPAM = OURS + "ipAddrsNoIpam";
    private static final String FLOATING_IPS = OURS + "floatingIPs";
    private static final String HW_ADDR = OURS + "hwAddr";
    private static final String ALLOWED_SOURCES = OURS + "allowedSourcePrefixes";

    public CalicoAnnotations {
        namespace = Collections.unmodifiableSortedMap(new TreeMap<>(namespace));
        pod = Collections.unmodifiableSortedMap(new TreeMap<>(pod));
    }

    public static CalicoAnnotations of(Map<String, String> namespace, Map<String, String> pod) {
        return new CalicoAnnotations(new TreeMap<>(namespace), new TreeMap<>(pod));
    }

    /// How a pod's addresses are chosen.
    public sealed interface Choice {

        /// By the address manager.
        record Automatic() implements Choice {}

        /// By the pod, from those that are managed.
        record Requested(List<Address> addresses) implements Choice {
            public Requested {
                addresses = List.copyOf(addresses);
            }
        }

        /// By the pod, without asking the address manager.
        record Imposed(List<Address> addresses) implements Choice {
            public Imposed {
                addresses = List.copyOf(addresses);
            }
        }
    }

    /// The configuration with what is asked of calico-ipam written in it.
    ///
    /// @throws CniException if it cannot be read
    public NetworkConfig applyTo(NetworkConfig config) {
        var ipam = config.ipam().map(Members::tree).orElseGet(Json::emptyObject);
        int before = ipam.hashCode();
        for (var family : Family.values()) {
            var pools = overridden(OURS + poolsOf(family));
            if (!pools.isEmpty()) {
                set(ipam, family == Family.IPV4 ? "ipv4_pools" : "ipv6_pools", list(pools));
            }
        }
        var families = overridden(IP_FAMILIES);
        if (!families.isEmpty()) {
            var wanted = families(families);
            set(ipam, "assign_ipv4", flag(ipam, wanted.contains(Family.IPV4)));
            set(ipam, "assign_ipv6", flag(ipam, wanted.contains(Family.IPV6)));
        }
        return ipam.hashCode() == before ? config : config.with("ipam", ipam);
    }

    private static String poolsOf(Family family) {
        return switch (family) {
            case IPV4 -> "ipv4pools";
            case IPV6 -> "ipv6pools";
        };
    }

    /// That of the pod, or that of its namespace.
    private String overridden(String name) {
        var own = pod.getOrDefault(name, "");
        return own.isEmpty() ? namespace.getOrDefault(name, "") : own;
    }

    /// Calico compares these with the words, and takes no boolean.
    private static JsonNode flag(ObjectNode parent, boolean value) {
        return parent.textNode(value ? "true" : "false");
    }

    private static void set(ObjectNode ipam, String name, JsonNode value) {
        ipam.properties().stream()
                .map(Map.Entry::getKey)
                .filter(written -> written.equalsIgnoreCase(name))
                .toList()
                .forEach(ipam::remove);
        ipam.set(name, value);
    }

    private static ArrayNode list(String raw) {
        var array = Json.emptyObject().arrayNode();
        texts(raw).forEach(array::add);
        return array;
    }

    private static List<Family> families(String raw) {
        var families = new ArrayList<Family>();
        for (var word : texts(raw)) {
            families.add(
                    switch (word) {
                        case "IPv4" -> Family.IPV4;
                        case "IPv6" -> Family.IPV6;
                        default -> throw new CniException(CniCode.INTERNAL, "error parsing ipFamilies: " + raw);
                    });
        }
        return families;
    }

    /// How the addresses are chosen.
    ///
    /// @throws CniException if the pod asks for what it may not have, or in two ways at once
    public Choice choice(CalicoNetConfig config) {
        var requested = pod.getOrDefault(IP_ADDRS, "");
        var imposed = pod.getOrDefault(IP_ADDRS_NO_IPAM, "");
        if (requested.isEmpty() && imposed.isEmpty()) {
            return new Choice.Automatic();
        }
        if (!requested.isEmpty() && !imposed.isEmpty()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "can't have both annotations: 'ipAddrs' and 'ipAddrsNoIpam' in use at the same" + " time");
        }
        var name = requested.isEmpty() ? "ipAddrsNoIpam" : "ipAddrs";
        if (config.ipam().law() != Law.CALICO) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "%s is not compatible with configured IPAM: %s"
                            .formatted(name, config.ipam().type()));
        }
        if (!requested.isEmpty()) {
            return new Choice.Requested(oneOfEach(requested, IP_ADDRS));
        }
        if (!config.features().ipAddrsNoIpam()) {
            throw new CniException(CniCode.INTERNAL, "requested feature is not enabled: ip_addrs_no_ipam");
        }
        return new Choice.Imposed(oneOfEach(imposed, IP_ADDRS_NO_IPAM));
    }

    /// At most one address of each family, and at least one.
    private static List<Address> oneOfEach(String raw, String annotation) {
        var addresses = addresses(raw, annotation);
        if (addresses.isEmpty()) {
            throw new CniException(
                    CniCode.INTERNAL, "annotation %s specified but empty".formatted(GoText.quote(annotation)));
        }
        for (var family : Family.values()) {
            if (addresses.stream().filter(address -> address.family() == family).count() > 1) {
                throw new CniException(
                        CniCode.INTERNAL,
                        "cannot have more than one %s address for %s annotation"
                                .formatted(family, GoText.quote(annotation)));
            }
        }
        return addresses;
    }

    private static List<Address> addresses(String raw, String annotation) {
        var addresses = new ArrayList<Address>();
        for (var text : textsOfAddresses(raw, annotation)) {
            addresses.add(InterfaceAddress.findAddress(text)
                    .orElseThrow(() -> new CniException(CniCode.INTERNAL, "invalid IP format: " + text)));
        }
        return addresses;
    }

    private static List<String> textsOfAddresses(String raw, String annotation) {
        try {
            return texts(raw);
        } catch (CniException unreadable) {
            throw unreadable.as(
                    CniCode.INTERNAL,
                    "failed to parse IPs %s for annotation %s: failed to parse '%s' as JSON: "
                            .formatted(raw, GoText.quote(annotation), raw));
        }
    }

    /// The addresses by which the pod is reached from outside; none if it asks for none.
    ///
    /// @throws CniException if they cannot be read, or the network does not have them
    public List<Address> floatingIps(CalicoNetConfig config) {
        var raw = pod.getOrDefault(FLOATING_IPS, "");
        if (raw.isEmpty()) {
            return List.of();
        }
        if (!config.features().floatingIps()) {
            throw new CniException(CniCode.INTERNAL, "requested feature is not enabled: floating_ips");
        }
        return addresses(raw, FLOATING_IPS);
    }

    /// The hardware address that the pod asks for. That it is there counts, be it empty.
    public Optional<String> hardwareAddress() {
        return Optional.ofNullable(pod.get(HW_ADDR));
    }

    /// The failure to read the hardware address.
    public static CniException noHardwareAddress(String text, String why) {
        return new CniException(
                CniCode.INTERNAL, "failed to parse MAC address %s provided via %s: %s".formatted(text, HW_ADDR, why));
    }

    /// From where the pod may pretend to send, beside its own addresses.
    ///
    /// @throws CniException if they cannot be read
    public List<Prefix> allowedSources() {
        var raw = pod.getOrDefault(ALLOWED_SOURCES, "");
        return raw.isEmpty()
                ? List.of()
                : textsOfAddresses(raw, ALLOWED_SOURCES).stream()
                        .map(text -> InterfaceAddress.parse(text).network())
                        .toList();
    }

    /// Reads a JSON array of texts, or null for none.
    private static List<String> texts(String raw) {
        return switch (CniJson.read(Bytes.ofUtf8(raw))) {
            case ArrayNode array -> {
                var texts = new ArrayList<String>();
                for (var element : array) {
                    if (!element.isTextual()) {
                        throw wrong(element, "string");
                    }
                    texts.add(element.textValue());
                }
                yield texts;
            }
            case JsonNode nothing when nothing.isNull() -> List.of();
            case JsonNode other -> throw wrong(other, "[]string");
        };
    }

    private static CniException wrong(JsonNode value, String wanted) {
        return new CniException(
                CniCode.INTERNAL,
                "json: cannot unmarshal %s into Go value of type %s".formatted(CniJson.kind(value), wanted));
    }
}
