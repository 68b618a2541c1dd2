package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import java.util.List;

/// One step of a decision: of the operator's memory, or a write to the node.
public sealed interface MultiPoolChange extends Change {

    @Override
    default String sentence() {
        return switch (this) {
            case PutPool(var pool) -> "take pool %s as its object describes it".formatted(pool.name());
            case DropPool(var pool) -> "forget pool %s".formatted(pool);
            case Sync() -> "take it that all nodes are known";
            case Take(var node, var pool, var cidr) -> "take %s of pool %s for node %s".formatted(cidr, pool, node);
            case Occupy(var node, var pool, var cidr) ->
                "keep %s of pool %s of node %s from others".formatted(cidr, pool, node);
            case Orphan(var node, var pool, var cidr) ->
                "keep %s of node %s as an orphan of pool %s".formatted(cidr, node, pool);
            case GiveBack(var node, var pool, var cidr) ->
                "take back %s of pool %s from node %s".formatted(cidr, pool, node);
            case WriteAllocated(var node, var entries) -> "write %s to node %s".formatted(entries, node);
            case WriteStatus(var node, var error) ->
                error.isEmpty()
                        ? "clear the error of node %s".formatted(node)
                        : "write the error '%s' to node %s".formatted(error, node);
        };
    }

    @Override
    default List<Holding> granted() {
        return switch (this) {
            case Take(var node, var _, var cidr) -> List.of(MultiPoolHoldings.of(node, cidr));
            case Occupy(var node, var _, var cidr) -> List.of(MultiPoolHoldings.of(node, cidr));
            case Orphan(var node, var _, var cidr) -> List.of(MultiPoolHoldings.of(node, cidr));
            case PutPool _, DropPool _, Sync _, GiveBack _, WriteAllocated _, WriteStatus _ -> List.of();
        };
    }

    @Override
    default List<Holding> returned() {
        return this instanceof GiveBack(var node, var _, var cidr)
                ? List.of(MultiPoolHoldings.of(node, cidr))
                : List.of();
    }

    record PutPool(PodPool pool) implements MultiPoolChange {}

    record DropPool(String pool) implements MultiPoolChange {}

    /// All nodes are known.
    record Sync() implements MultiPoolChange {}

    /// A node gets the next block; the cursor moves behind it.
    record Take(String node, String pool, Prefix cidr) implements MultiPoolChange {}

    /// What a node has counts, and is kept from others.
    record Occupy(String node, String pool, Prefix cidr) implements MultiPoolChange {}

    /// What a node has is kept from others, and does not count.
    record Orphan(String node, String pool, Prefix cidr) implements MultiPoolChange {}

    /// A node has it no more.
    record GiveBack(String node, String pool, Prefix cidr) implements MultiPoolChange {}

    /// The list of blocks in the node's spec becomes this one.
    record WriteAllocated(String node, List<Entry> entries) implements MultiPoolChange {
        public WriteAllocated {
            entries = List.copyOf(entries);
        }
    }

    /// The error in the node's status becomes this one.
    ///
    /// @param error empty for none
    record WriteStatus(String node, String error) implements MultiPoolChange {}
}
