package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import java.util.Comparator;

/// A block that a node has.
public record PooledBlock(String pool, Prefix cidr, Account account) implements Comparable<PooledBlock> {

    private static final Comparator<PooledBlock> ORDER =
            Comparator.comparing(PooledBlock::pool).thenComparing(PooledBlock::cidr);

    /// Whether it counts for what the node needs.
    public enum Account {
        COUNTED,

        /// Its pool is gone, or no longer has it.
        ORPHANED
    }

    boolean counted() {
        return account == Account.COUNTED;
    }

    boolean is(String otherPool, Prefix otherCidr) {
        return pool.equals(otherPool) && cidr.equals(otherCidr);
    }

    @Override
    public int compareTo(PooledBlock other) {
        return ORDER.compare(this, other);
    }
}
