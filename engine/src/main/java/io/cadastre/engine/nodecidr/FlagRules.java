package io.cadastre.engine.nodecidr;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.address.Subdivision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rules that flags must keep, in the order in which upstream applies them.
///
/// Rules about options come first and all broken ones are reported; rules about the cluster follow and
/// the first broken one ends the reading. A list is divided by commas and only the list as a whole is
/// trimmed, so a blank after a comma belongs to the next element. The sentences are upstream's byte for
/// byte, unclosed parenthesis included, except for the rules that upstream does not have: IPv4-mapped
/// cluster CIDRs, masks that are not a prefix length, and IPv4 clusters of more than 2^24 blocks.
final class FlagRules {

    private static final int SERVICE_RANGES_MAX = 2;
    private static final int MASK_IPV4 = 24;
    private static final int MASK_IPV6 = 64;

    private FlagRules() {}

    static NodeCidrSetup read(NodeCidrFlags flags) {
        var optionErrors = optionErrors(flags);
        if (!optionErrors.isEmpty()) {
            return new NodeCidrSetup.Rejected(optionErrors);
        }
        if (!flags.allocateNodeCidrs()) {
            return new NodeCidrSetup.SwitchedOff();
        }
        try {
            var because = new ArrayList<NodeCidrReason>();
            var clusterCidrs = clusterCidrs(flags.clusterCidr());
            var serviceRanges = serviceRanges(flags.serviceClusterIpRange(), because);
            var masks = masks(clusterCidrs, flags);
            var config = new NodeCidrConfig(clusters(clusterCidrs, masks, flags), serviceRanges);
            return new NodeCidrSetup.Configured(config, because);
        } catch (Broken broken) {
            return new NodeCidrSetup.Rejected(List.of(broken.rule));
        }
    }

    /// The errors of flags whose cluster CIDRs are read and not used: the rules about blocks are left out.
    static List<String> errorsWithoutBlocks(NodeCidrFlags flags) {
        var optionErrors = optionErrors(flags);
        if (!optionErrors.isEmpty()) {
            return optionErrors;
        }
        try {
            var clusterCidrs = clusterCidrs(flags.clusterCidr());
            var _ = serviceRanges(flags.serviceClusterIpRange(), new ArrayList<>());
            var _ = masks(clusterCidrs, flags);
            return List.of();
        } catch (Broken broken) {
            return List.of(broken.rule);
        }
    }

    /// Flags for an allocator that needs no cluster CIDR and is given none.
    static NodeCidrSetup readServiceRanges(NodeCidrFlags flags) {
        var optionErrors = optionErrors(flags.withAllocatorType(NodeCidrFlags.RANGE_ALLOCATOR));
        if (!optionErrors.isEmpty()) {
            return new NodeCidrSetup.Rejected(optionErrors);
        }
        if (!flags.allocateNodeCidrs()) {
            return new NodeCidrSetup.SwitchedOff();
        }
        try {
            var because = new ArrayList<NodeCidrReason>();
            return new NodeCidrSetup.WithoutClusters(serviceRanges(flags.serviceClusterIpRange(), because), because);
        } catch (Broken broken) {
            return new NodeCidrSetup.Rejected(List.of(broken.rule));
        }
    }

    private static List<String> optionErrors(NodeCidrFlags flags) {
        var errors = new ArrayList<String>();
        if (elements(flags.serviceClusterIpRange()).size() > SERVICE_RANGES_MAX) {
            errors.add("--service-cluster-ip-range can not contain more than two entries");
        }
        var type = flags.cidrAllocatorType();
        if (flags.allocateNodeCidrs() && !type.isEmpty() && !type.equals(NodeCidrFlags.RANGE_ALLOCATOR)) {
            errors.add("built-in cloud providers are disabled. The ipam %s is not available".formatted(type));
        }
        return errors;
    }

    private static List<Prefix> clusterCidrs(String text) {
        var cidrs = new ArrayList<Prefix>();
        for (var element : elements(text)) {
            int index = cidrs.size();
            cidrs.add(SloppyText.parsePrefix(element)
                    .orElseThrow(() -> new Broken(
                            "invalid CIDR[%d]: <nil> (invalid CIDR address: %s)".formatted(index, element))));
        }
        for (var cidr : cidrs) {
            if (cidr.ipv4Mapped()) {
                throw new Broken("--cluster-cidr %s is an IPv4-mapped IPv6 CIDR; write the IPv4 CIDR it stands for"
                        .formatted(cidr));
            }
        }
        long families = cidrs.stream().map(Prefix::family).distinct().count();
        if (cidrs.size() > 1 && families < Family.values().length) {
            throw new Broken(
                    "len of ClusterCIDRs==%d and they are not configured as dual stack (at least one from each IPFamily"
                            .formatted(cidrs.size()));
        }
        if (cidrs.size() > NodeCidrConfig.CLUSTERS_MAX) {
            throw new Broken("length of clusterCIDRs is:%d more than max allowed of %d"
                    .formatted(cidrs.size(), NodeCidrConfig.CLUSTERS_MAX));
        }
        return cidrs;
    }

    private static List<Prefix> serviceRanges(String text, List<NodeCidrReason> because) {
        var ranges = new ArrayList<Prefix>();
        for (var element : elements(text)) {
            if (!element.isBlank()) {
                NodeEntry.read(element)
                        .ifPresentOrElse(
                                ranges::add, () -> because.add(new NodeCidrReason.ServiceRangeUnread(element)));
            }
        }
        if (ranges.stream().map(Prefix::family).distinct().count() < ranges.size()) {
            throw new Broken("serviceCIDR and secondaryServiceCIDR are not dualstack (from different" + " IPfamiles)");
        }
        return ranges;
    }

    private static List<String> elements(String text) {
        return List.of(text.strip().split(",", -1));
    }

    /// The node mask of each cluster CIDR.
    static List<Integer> masks(List<Prefix> clusterCidrs, NodeCidrFlags flags) {
        familyRule(clusterCidrs, flags).ifPresent(rule -> {
            throw new Broken(rule);
        });
        var masks = new ArrayList<Integer>();
        for (var cidr : clusterCidrs) {
            int mask = mask(cidr.family(), flags);
            if (mask < 0 || mask > cidr.family().bits()) {
                throw new Broken("node CIDR mask size %d is out of range: an %s prefix length is from 0 to %d"
                        .formatted(mask, cidr.family(), cidr.family().bits()));
            }
            masks.add(mask);
        }
        return masks;
    }

    /// Which mask flag must not be set for clusters of these families, if one is.
    private static Optional<String> familyRule(List<Prefix> clusterCidrs, NodeCidrFlags flags) {
        boolean general = flags.nodeCidrMaskSize() != 0;
        boolean ipv4 = flags.nodeCidrMaskSizeIpv4() != 0;
        boolean ipv6 = flags.nodeCidrMaskSizeIpv6() != 0;
        if (clusterCidrs.size() > 1) {
            return general
                    ? Optional.of("usage of --node-cidr-mask-size is not allowed with dual-stack" + " clusters")
                    : Optional.empty();
        }
        if (general) {
            return ipv4 || ipv6
                    ? Optional.of("usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is"
                            + " not allowed if --node-cidr-mask-size is set. For dual-stack"
                            + " clusters please unset it and use IPFamily specific flags")
                    : Optional.empty();
        }
        var family = clusterCidrs.getFirst().family();
        if (family == Family.IPV6 && ipv4) {
            return Optional.of(
                    "usage of --node-cidr-mask-size-ipv4 is not allowed for a single-stack IPv6" + " cluster");
        }
        if (family == Family.IPV4 && ipv6) {
            return Optional.of(
                    "usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4" + " cluster");
        }
        return Optional.empty();
    }

    private static int mask(Family family, NodeCidrFlags flags) {
        if (flags.nodeCidrMaskSize() != 0) {
            return flags.nodeCidrMaskSize();
        }
        int given =
                switch (family) {
                    case IPV4 -> flags.nodeCidrMaskSizeIpv4();
                    case IPV6 -> flags.nodeCidrMaskSizeIpv6();
                };
        if (given != 0) {
            return given;
        }
        return switch (family) {
            case IPV4 -> MASK_IPV4;
            case IPV6 -> MASK_IPV6;
        };
    }

    private static List<Subdivision> clusters(List<Prefix> clusterCidrs, List<Integer> masks, NodeCidrFlags flags) {
        for (int index = 0; index < clusterCidrs.size(); index++) {
            if (clusterCidrs.get(index).length() > masks.get(index)) {
                throw new Broken("Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less"
                        + " than or equal to --node-cidr-mask-size configured for CIDR family");
            }
        }
        // Other types than the empty one were refused with the options.
        if (flags.cidrAllocatorType().isEmpty()) {
            throw new Broken("invalid CIDR allocator type: ");
        }
        var clusters = new ArrayList<Subdivision>();
        for (int index = 0; index < clusterCidrs.size(); index++) {
            int blockBits = masks.get(index) - clusterCidrs.get(index).length();
            if (blockBits > Long.SIZE) {
                throw new Broken(CidrSet.TOO_BIG);
            }
            var cluster = new Subdivision(clusterCidrs.get(index), masks.get(index));
            CidrSet.sizeFault(cluster).ifPresent(fault -> {
                throw new Broken(fault);
            });
            clusters.add(cluster);
        }
        return clusters;
    }

    /// Carries the sentence of the first broken rule out of this class's own methods.
    static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String rule;

        Broken(String rule) {
            super(rule, null, false, false);
            this.rule = rule;
        }
    }
}
