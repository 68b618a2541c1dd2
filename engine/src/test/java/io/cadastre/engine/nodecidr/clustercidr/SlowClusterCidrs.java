package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/// The slow, obvious twin of the law: every candidate is compared with every other one rule after the
/// other, and every block with all that is held anywhere.
final class SlowClusterCidrs {

    private final List<Prefix> serviceRanges;
    private final Map<String, ClusterCidr> clusterCidrs = new LinkedHashMap<>();
    private final Map<String, Integer> cursors = new HashMap<>();
    private final Map<String, List<Prefix>> held = new HashMap<>();

    SlowClusterCidrs(List<Prefix> serviceRanges) {
        this.serviceRanges = serviceRanges;
    }

    void put(ClusterCidr clusterCidr) {
        clusterCidrs.put(clusterCidr.name(), clusterCidr);
    }

    void remove(String name) {
        clusterCidrs.remove(name);
        for (var family : Family.values()) {
            cursors.remove(name + family);
        }
    }

    void hold(String node, List<Prefix> cidrs) {
        held.put(node, cidrs);
    }

    void release(String node) {
        held.remove(node);
    }

    /// The names of those that may give, the best first.
    List<String> candidates(SortedMap<String, String> labels) {
        var matching = new ArrayList<ClusterCidr>();
        for (var one : clusterCidrs.values()) {
            if (!one.terminating() && matches(one, labels)) {
                int place = 0;
                while (place < matching.size() && !better(one, matching.get(place))) {
                    place++;
                }
                matching.add(place, one);
            }
        }
        var names = new ArrayList<>(matching.stream().map(ClusterCidr::name).toList());
        for (var one : clusterCidrs.values()) {
            boolean catchAll = key(one).equals("kubernetes.io/clusterCIDR in (default)");
            if (!one.terminating() && catchAll && !names.contains(one.name())) {
                names.add(one.name());
            }
        }
        return names;
    }

    private static boolean better(ClusterCidr one, ClusterCidr other) {
        if (requirements(one).size() != requirements(other).size()) {
            return requirements(one).size() > requirements(other).size();
        }
        if (nodesMax(one) != nodesMax(other)) {
            return nodesMax(one) < nodesMax(other);
        }
        if (sets(one).getFirst().partLength() != sets(other).getFirst().partLength()) {
            return sets(one).getFirst().partLength() > sets(other).getFirst().partLength();
        }
        if (!key(one).equals(key(other))) {
            return key(one).compareTo(key(other)) < 0;
        }
        var text = sets(one).getFirst().whole().toString();
        return text.compareTo(sets(other).getFirst().whole().toString()) < 0;
    }

    private static long nodesMax(ClusterCidr one) {
        return sets(one).stream().mapToLong(set -> set.lastOrdinal() + 1).min().orElseThrow();
    }

    private static String key(ClusterCidr one) {
        return FlatSelector.of(one.spec().nodeSelector()).key();
    }

    private static List<LabelRequirement> requirements(ClusterCidr one) {
        return FlatSelector.of(one.spec().nodeSelector()).requirements();
    }

    private static boolean matches(ClusterCidr one, SortedMap<String, String> labels) {
        for (var requirement : requirements(one)) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    private static List<Subdivision> sets(ClusterCidr one) {
        return one.spec().families().stream()
                .map(family -> new Subdivision(
                        Prefix.parse(one.spec().cidr(family)), one.spec().nodeMask(family)))
                .toList();
    }

    /// What a node with these labels gets; nothing if there is nothing.
    List<Prefix> assign(String node, SortedMap<String, String> labels) {
        for (var name : candidates(labels)) {
            var blocks = new ArrayList<Prefix>();
            var sets = sets(Objects.requireNonNull(clusterCidrs.get(name)));
            for (var set : sets) {
                firstFree(name, set).ifPresent(blocks::add);
            }
            if (blocks.size() == sets.size()) {
                for (int index = 0; index < blocks.size(); index++) {
                    var set = sets.get(index);
                    int ordinal = (int) set.ordinal(blocks.get(index).first());
                    cursors.put(name + set.whole().family(), (int) ((ordinal + 1) % (set.lastOrdinal() + 1)));
                }
                held.put(node, blocks);
                return blocks;
            }
        }
        return List.of();
    }

    private Optional<Prefix> firstFree(String name, Subdivision set) {
        int count = (int) set.lastOrdinal() + 1;
        int cursor = cursors.getOrDefault(name + set.whole().family(), 0);
        for (int tries = 0; tries < count; tries++) {
            var block = set.part((cursor + tries) % count);
            if (serviceRanges.stream().noneMatch(block::overlaps)
                    && held.values().stream().flatMap(List::stream).noneMatch(block::overlaps)) {
                return Optional.of(block);
            }
        }
        return Optional.empty();
    }
}
