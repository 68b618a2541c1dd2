package io.cadastre.engine.nodecidr.clustercidr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/// Which ClusterCIDRs are tried for a node, one after the other.
///
/// First those whose selector the node matches: the one with more requirements first (P0), then the one
/// with fewer blocks (P1), then the one with smaller blocks (P2), then the one whose selector comes first
/// as text (P3), then the one whose CIDR comes first *as text* (P4), so that `10.0.0.0/16` comes before
/// `9.0.0.0/16`. Then those without a selector, in the order in which they came to be.
///
/// Upstream lets the last kind give blocks while they are being deleted; that would keep them forever, and
/// is not matched.
final class CandidateOrder {

    /// What upstream leaves undecided is decided by age: the list is sorted stably.
    private static final Comparator<ClusterCidrEntry> PREFERENCE = Comparator.<ClusterCidrEntry>comparingInt(
                    entry -> entry.selector().requirements().size())
            .reversed()
            .thenComparingInt(ClusterCidrEntry::nodesMax)
            .thenComparing(entry -> entry.leading().cluster().partLength(), Comparator.reverseOrder())
            .thenComparing(ClusterCidrEntry::selectorKey)
            .thenComparing(entry -> entry.leading().cluster().whole().toString());

    private CandidateOrder() {}

    /// Those that may give blocks to a node with these labels.
    static List<ClusterCidrEntry> giving(List<ClusterCidrEntry> entries, SortedMap<String, String> labels) {
        return ordered(entries.stream().filter(ClusterCidrEntry::giving).toList(), labels);
    }

    /// Those that may give blocks to a node with these labels once their finalizer is written.
    static List<ClusterCidrEntry> awaiting(List<ClusterCidrEntry> entries, SortedMap<String, String> labels) {
        return ordered(entries.stream().filter(ClusterCidrEntry::awaiting).toList(), labels);
    }

    /// Those to which the CIDRs of a node with these labels may belong. One that is being deleted may have
    /// given them earlier, and must not vanish under the node.
    static List<ClusterCidrEntry> having(List<ClusterCidrEntry> entries, SortedMap<String, String> labels) {
        var candidates = new ArrayList<>(
                ordered(entries.stream().filter(entry -> !entry.terminating()).toList(), labels));
        candidates.addAll(
                ordered(entries.stream().filter(ClusterCidrEntry::terminating).toList(), labels));
        return candidates;
    }

    private static List<ClusterCidrEntry> ordered(List<ClusterCidrEntry> entries, SortedMap<String, String> labels) {
        var matching = new ArrayList<ClusterCidrEntry>();
        var rest = new ArrayList<ClusterCidrEntry>();
        for (var entry : entries) {
            if (entry.selector().matches(labels)) {
                matching.add(entry);
            } else if (entry.catchAll()) {
                rest.add(entry);
            }
        }
        matching.sort(PREFERENCE);
        matching.addAll(rest);
        return matching;
    }
}
