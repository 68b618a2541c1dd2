package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.CidrSetList.Claim;
import java.util.List;
import java.util.stream.Collectors;

/// Why a node did not get what its object says, as it is written to its status.
public sealed interface ClusterPoolFault {

    /// In the words of upstream.
    default String sentence() {
        return switch (this) {
            case NotACidr(var text) -> "invalid CIDR address: " + text;
            case NoFamily(var family, var cidrs) ->
                "unable to allocate CIDR %s since allocator for %s addresses does not exist"
                        .formatted(list(cidrs), family);
            case NoFamilies(var node, var ipv4, var ipv6) ->
                "Unable to allocate node CIDR for node %s. IPAMInfo: {IPv4: %s, IPv6: %s}. Please check that your configuration is correct."
                        .formatted(node, list(ipv4), list(ipv6));
            case Conflicting(var known, var requested) ->
                "node has CIDRs allocated (%s) that conflict with requested CIDRs %s"
                        .formatted(list(known), list(requested));
            case NotClaimed(var claim) -> claim.sentence();
            case AllFull() -> "allocator full";
        };
    }

    /// As Go prints a list.
    private static String list(List<Prefix> cidrs) {
        return cidrs.stream().map(Prefix::toString).collect(Collectors.joining(" ", "[", "]"));
    }

    record NotACidr(String text) implements ClusterPoolFault {}

    /// The cluster has no CIDRs of the family.
    record NoFamily(Family family, List<Prefix> cidrs) implements ClusterPoolFault {
        public NoFamily {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// The cluster has no CIDRs at all.
    record NoFamilies(String node, List<Prefix> ipv4, List<Prefix> ipv6) implements ClusterPoolFault {
        public NoFamilies {
            ipv4 = List.copyOf(ipv4);
            ipv6 = List.copyOf(ipv6);
        }
    }

    /// An editor wrote other CIDRs than those that the node has.
    record Conflicting(List<Prefix> known, List<Prefix> requested) implements ClusterPoolFault {
        public Conflicting {
            known = List.copyOf(known);
            requested = List.copyOf(requested);
        }
    }

    record NotClaimed(Claim.Failed claim) implements ClusterPoolFault {}

    /// Every CIDR of a family is used up.
    record AllFull() implements ClusterPoolFault {}
}
