package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.List;

/// A CiliumNode as this law sees it. It must not be older than what was written to it last, or blocks that were just
/// added would look given up.
///
/// @param error the one in its status; empty for none
public record MultiPoolNode(String name, List<Need> needs, List<Entry> allocated, String error) {

    public MultiPoolNode {
        needs = List.copyOf(needs);
        allocated = List.copyOf(allocated);
    }

    /// How many addresses of a pool it needs in all.
    public record Need(String pool, long ipv4, long ipv6) {

        long of(Family family) {
            return family == Family.IPV4 ? ipv4 : ipv6;
        }
    }

    /// The blocks of a pool that its object lists.
    public record Entry(String pool, boolean allowFirst, boolean allowLast, List<Prefix> cidrs) {
        public Entry {
            cidrs = List.copyOf(cidrs);
        }
    }

    public MultiPoolNode withAllocated(List<Entry> entries) {
        return new MultiPoolNode(name, needs, entries, error);
    }

    public MultiPoolNode withError(String other) {
        return new MultiPoolNode(name, needs, allocated, other);
    }

    public MultiPoolNode withNeeds(List<Need> others) {
        return new MultiPoolNode(name, others, allocated, error);
    }
}
