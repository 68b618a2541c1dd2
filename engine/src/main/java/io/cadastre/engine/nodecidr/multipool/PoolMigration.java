package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteAllocated;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteStatus;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import java.util.ArrayList;
import java.util.List;

/// Moves the CIDRs that a node has by cluster-pool to the default pool, as Cilium's operator does before it looks at
/// any node.
///
/// [WriteAllocated] and the emptying of `podCIDRs` are one write of one object, so that a node never has a CIDR
/// twice or not at all.
public final class PoolMigration {

    private static final String ERROR = "migration to multi-pool IPAM failed: ";

    private PoolMigration() {}

    /// What became of a node.
    public enum Migrated {
        /// Its CIDRs are in the list of pools, and `podCIDRs` is to be emptied with the same write.
        MOVED,

        /// It had nothing to move.
        NOTHING,

        /// One of its CIDRs cannot be read, and none is moved.
        UNREADABLE
    }

    /// Decides what becomes of one node.
    ///
    /// @param podCidrs as they are written
    public static Decision<MultiPoolChange, Migrated> decide(
            MultiPoolNode node, List<String> podCidrs, String defaultPool) {
        if (podCidrs.isEmpty()) {
            return new Decision<>(Migrated.NOTHING, List.of(), List.of());
        }
        var cidrs = new ArrayList<Prefix>();
        for (var text : podCidrs) {
            var cidr = SloppyText.parsePrefix(text);
            if (cidr.isEmpty()) {
                var error = ERROR + "invalid CIDR address: " + text;
                return new Decision<>(Migrated.UNREADABLE, List.of(new WriteStatus(node.name(), error)), List.of());
            }
            cidrs.add(cidr.get());
        }
        return new Decision<>(
                Migrated.MOVED, List.of(new WriteAllocated(node.name(), entries(node, cidrs, defaultPool))), List.of());
    }

    /// The CIDRs join those that the node has of the default pool already.
    private static List<Entry> entries(MultiPoolNode node, List<Prefix> moved, String defaultPool) {
        var entries = new ArrayList<Entry>();
        boolean joined = false;
        for (var entry : node.allocated()) {
            if (entry.pool().equals(defaultPool)) {
                var all = new ArrayList<>(entry.cidrs());
                moved.stream().filter(cidr -> !all.contains(cidr)).forEach(all::add);
                entries.add(new Entry(entry.pool(), entry.allowFirst(), entry.allowLast(), all));
                joined = true;
            } else {
                entries.add(entry);
            }
        }
        if (!joined) {
            entries.add(new Entry(defaultPool, false, false, moved));
        }
        return entries;
    }
}
