package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.Members;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Puts the prefixes that Kubernetes gave a node where a configuration of host-local says
/// `usePodCidr`.
public final class PodCidrs {

    private static final String SUBNET = "subnet";

    private PodCidrs() {}

    /// The words that stand for a prefix of each family.
    private static String words(Family family) {
        return switch (family) {
            case IPV4 -> "usePodCidr";
            case IPV6 -> "usePodCidrIPv6";
        };
    }

    /// With what the node has.
    ///
    /// @throws CniException if it does not have what is asked for
    public static NetworkConfig replaceIn(NetworkConfig config, PodLookup lookup, String node) {
        return replaceIn(config, family -> cidr(lookup.fetchPodCidrs(node), node, family));
    }

    /// With what any node might have: to give an address back, it need not be known where it came from.
    static NetworkConfig replaceWithDummies(NetworkConfig config) {
        return replaceIn(config, family -> switch (family) {
            case IPV4 -> "0.0.0.0/0";
            case IPV6 -> "::/0";
        });
    }

    private static NetworkConfig replaceIn(NetworkConfig config, Function<Family, String> cidrs) {
        var ipam = config.ipam().map(Members::tree);
        if (ipam.isEmpty()) {
            return config;
        }
        boolean replaced = replace(ipam.get(), cidrs);
        for (var member : ipam.get().properties()) {
            if (member.getKey().equalsIgnoreCase("ranges")) {
                for (var set : member.getValue()) {
                    for (var range : set) {
                        replaced |= range instanceof ObjectNode object && replace(object, cidrs);
                    }
                }
            }
        }
        return replaced ? config.with("ipam", ipam.get()) : config;
    }

    /// Replaces the subnet of one range, and returns whether it did.
    private static boolean replace(ObjectNode range, Function<Family, String> cidrs) {
        var names = range.properties().stream()
                .filter(member -> member.getKey().equalsIgnoreCase(SUBNET))
                .filter(member -> member.getValue().isTextual())
                .map(Map.Entry::getKey)
                .toList();
        boolean replaced = false;
        for (var name : names) {
            var written = range.path(name).textValue();
            for (var family : Family.values()) {
                if (CalicoNetConfig.means(written, words(family))) {
                    range.put(name, cidrs.apply(family));
                    replaced = true;
                }
            }
        }
        return replaced;
    }

    private static String cidr(List<String> all, String node, Family family) {
        if (all.isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "no podCidr for node " + node);
        }
        var byFamily = new EnumMap<Family, String>(Family.class);
        for (var text : all) {
            if (byFamily.put(family(text), text) != null) {
                throw new CniException(CniCode.INTERNAL, "ClusterCIDR contains two ranges of the same type");
            }
        }
        var found = byFamily.get(family);
        if (found == null) {
            throw new CniException(
                    CniCode.INTERNAL, "%s found but there is no %s CIDR configured".formatted(words(family), family));
        }
        return found;
    }

    private static Family family(String cidr) {
        try {
            return Prefix.parse(cidr).family();
        } catch (IllegalArgumentException senseless) {
            throw new CniException(CniCode.INTERNAL, "invalid CIDR address: " + cidr);
        }
    }
}
