package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import java.util.List;

/// How much of a pool is used.
///
/// @param name of the pool; [#ORPHANS] for blocks without a pool
/// @param total the numbers of the pool, at most [Long#MAX_VALUE] each; zero for blocks without a pool
public record Utilization(String name, Prefix cidr, Numbers total, List<OfBlock> blocks) {

    /// What stands in place of a pool for blocks that have none.
    public static final String ORPHANS = "orphaned allocation blocks";

    public Utilization {
        blocks = List.copyOf(blocks);
    }

    /// How many addresses there are.
    ///
    /// @param inUse held or cooling, or kept by Windows
    /// @param reserved whether or not they are in use
    /// @param available can be assigned to a request for any address
    public record Numbers(long capacity, long inUse, long reserved, long available) {}

    /// How much of a block is used.
    ///
    /// @param owner as the block has it; empty if it has none
    public record OfBlock(Prefix cidr, String owner, Numbers numbers) {}
}
