package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A ClusterCIDR that a controller works with: its sets of blocks and the nodes that it serves.
///
/// A value: the `with…` methods return another entry.
public final class ClusterCidrEntry {

    private static final int BLOCK_BITS_MAX_IPV6 = 16;

    private final ClusterCidr clusterCidr;
    private final FlatSelector selector;
    private final String key;

    /// One for each family, IPv4 first. A used block is one that must not be given, whatever touches it.
    private final List<CidrSet> sets;

    /// The nodes that are associated, by name.
    private final SortedIndex<String, String> nodes;

    private ClusterCidrEntry(
            ClusterCidr clusterCidr,
            FlatSelector selector,
            String key,
            List<CidrSet> sets,
            SortedIndex<String, String> nodes) {
        this.clusterCidr = clusterCidr;
        this.selector = selector;
        this.key = key;
        this.sets = List.copyOf(sets);
        this.nodes = nodes;
    }

    /// An entry of which no block is used.
    ///
    /// @throws IllegalArgumentException if there is a [#fault(ClusterCidrSpec)]
    static ClusterCidrEntry of(ClusterCidr clusterCidr) {
        var spec = clusterCidr.spec();
        fault(spec).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        var selector = FlatSelector.of(spec.nodeSelector());
        var sets = spec.families().stream()
                .map(family -> CidrSet.empty(new Subdivision(range(spec, family), spec.nodeMask(family))))
                .toList();
        return new ClusterCidrEntry(clusterCidr, selector, selector.key(), sets, SortedIndex.empty());
    }

    /// Why no block can be given out of it, in upstream's words where upstream notices.
    static Optional<String> fault(ClusterCidrSpec spec) {
        var selectorFault = ClusterCidrRules.selector(spec.nodeSelector()).stream()
                .findFirst()
                .map("unable to get labelSelector key: %s"::formatted);
        if (selectorFault.isPresent()) {
            return selectorFault;
        }
        for (var family : spec.families()) {
            var fault = fault(spec, family);
            if (fault.isPresent()) {
                return fault.map("invalid ClusterCIDR: %s"::formatted);
            }
        }
        return spec.families().isEmpty()
                ? Optional.of("invalid ClusterCIDR: must provide IPv4 and/or IPv6 config")
                : Optional.empty();
    }

    private static Optional<String> fault(ClusterCidrSpec spec, Family family) {
        var text = spec.cidr(family);
        var read = SloppyText.parsePrefix(text);
        if (read.isEmpty() || read.get().family() != family || read.get().ipv4Mapped()) {
            return Optional.of("unable to parse provided %s CIDR: invalid CIDR address: %s".formatted(family, text));
        }
        var range = read.get();
        int mask = spec.nodeMask(family);
        return setFault(range, mask).map(fault -> "unable to create %s cidrSet: %s".formatted(family, fault));
    }

    private static Optional<String> setFault(Prefix range, int mask) {
        if (mask < range.length() || mask > range.family().bits()) {
            return Optional.of("%s has no node CIDRs of /%d; perNodeHostBits is from 0 to %d"
                    .formatted(range, mask, range.family().bits() - range.length()));
        }
        if (range.family() == Family.IPV6 && mask - range.length() > BLOCK_BITS_MAX_IPV6) {
            return Optional.of(
                    "Creation of New CIDR Set failed for %s. PerNodeMaskSize %d is too big for CIDR Mask %d, Maximum difference allowed is %d"
                            .formatted(range, mask, range.length(), BLOCK_BITS_MAX_IPV6));
        }
        return CidrSet.sizeFault(new Subdivision(range, mask));
    }

    private static Prefix range(ClusterCidrSpec spec, Family family) {
        return SloppyText.parsePrefix(spec.cidr(family)).orElseThrow();
    }

    public ClusterCidr clusterCidr() {
        return clusterCidr;
    }

    public String name() {
        return clusterCidr.name();
    }

    /// Whether it gives nothing any more.
    public boolean terminating() {
        return clusterCidr.terminating();
    }

    /// Whether it may give blocks.
    boolean giving() {
        return !terminating() && clusterCidr.finalizer();
    }

    /// Whether it may give blocks once its finalizer is written.
    boolean awaiting() {
        return !terminating() && !clusterCidr.finalizer();
    }

    /// Whether each of its families has a block left.
    boolean hasRoom() {
        return sets.stream().allMatch(set -> set.usedCount() < set.blockCount());
    }

    /// The selector as one text, by which upstream sorts.
    public String selectorKey() {
        return key;
    }

    /// One for each family, IPv4 first.
    public List<CidrSet> sets() {
        return sets;
    }

    boolean serves(String node) {
        return nodes.find(node).isPresent();
    }

    FlatSelector selector() {
        return selector;
    }

    boolean catchAll() {
        return key.equals(FlatSelector.CATCH_ALL.key());
    }

    /// The smallest number of blocks that one of its families has.
    int nodesMax() {
        return sets.stream().mapToInt(CidrSet::blockCount).min().orElseThrow();
    }

    /// The set that decides where one family distinguishes ClusterCIDRs: IPv4 if there is one.
    CidrSet leading() {
        return sets.getFirst();
    }

    /// Whether each of the CIDRs touches one of its families.
    boolean spans(List<Prefix> cidrs) {
        return cidrs.stream().allMatch(this::touches);
    }

    boolean touches(Prefix cidr) {
        return sets.stream().anyMatch(set -> set.cluster().whole().overlaps(cidr));
    }

    ClusterCidrEntry withClusterCidr(ClusterCidr other) {
        return new ClusterCidrEntry(other, selector, key, sets, nodes);
    }

    ClusterCidrEntry withNode(String node) {
        return new ClusterCidrEntry(clusterCidr, selector, key, sets, nodes.with(node, node));
    }

    ClusterCidrEntry withoutNode(String node) {
        return new ClusterCidrEntry(clusterCidr, selector, key, sets, nodes.without(node));
    }

    /// The names of the associated nodes, in their order.
    List<String> nodes() {
        return nodes.values();
    }

    /// With every block used that one of the CIDRs touches.
    ClusterCidrEntry withUsed(List<Prefix> cidrs) {
        return withSets(set -> {
            var runs = new ArrayList<Reach.Blocks>();
            for (var cidr : cidrs) {
                if (set.reach(cidr) instanceof Reach.Blocks blocks) {
                    runs.add(blocks);
                }
            }
            return runs.isEmpty() ? set : set.occupy(runs).after();
        });
    }

    /// With the blocks unused that one of the CIDRs touches and nothing else does.
    ClusterCidrEntry withUnused(List<Prefix> cidrs, HeldPrefixes left, List<Prefix> serviceRanges) {
        return withSets(set -> {
            var after = set;
            for (var cidr : cidrs) {
                if (set.reach(cidr) instanceof Reach.Blocks blocks) {
                    after = after.release(blocks).after();
                }
            }
            if (after == set) {
                return set;
            }
            var runs = new ArrayList<Reach.Blocks>();
            for (var cidr : cidrs) {
                if (set.reach(cidr) instanceof Reach.Blocks blocks) {
                    left.overlapping(span(set, cidr, blocks)).stream()
                            .map(HeldPrefixes.Held::prefix)
                            .map(set::reach)
                            .forEach(reach -> addBlocks(runs, reach));
                }
            }
            serviceRanges.stream().map(set::reach).forEach(reach -> addBlocks(runs, reach));
            return runs.isEmpty() ? after : after.occupy(runs).after();
        });
    }

    private static void addBlocks(List<Reach.Blocks> runs, Reach reach) {
        if (reach instanceof Reach.Blocks blocks) {
            runs.add(blocks);
        }
    }

    /// The prefix that the blocks make up which the CIDR touches.
    private static Prefix span(CidrSet set, Prefix cidr, Reach.Blocks blocks) {
        if (blocks.first() == blocks.last()) {
            return set.block(blocks.first());
        }
        return cidr.contains(set.cluster().whole()) ? set.cluster().whole() : cidr;
    }

    /// With each cursor behind the block that was taken.
    ClusterCidrEntry withCursorsBehind(List<Prefix> blocks) {
        return withSets(set -> {
            var after = set;
            for (var block : blocks) {
                if (set.reach(block) instanceof Reach.Blocks reach) {
                    after = after.at((reach.last() + 1) % set.blockCount());
                }
            }
            return after;
        });
    }

    private ClusterCidrEntry withSets(UnaryOperator<CidrSet> change) {
        return new ClusterCidrEntry(
                clusterCidr, selector, key, sets.stream().map(change).toList(), nodes);
    }

    @Override
    public String toString() {
        return "%s (%s): %s, %d nodes".formatted(name(), key, sets, nodes.size());
    }
}
