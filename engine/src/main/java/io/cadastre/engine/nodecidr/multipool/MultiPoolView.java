package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.nodecidr.CidrSetList;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.DropPool;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.GiveBack;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Occupy;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Orphan;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.PutPool;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Sync;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.Take;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteAllocated;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteStatus;
import io.cadastre.engine.nodecidr.multipool.PooledBlock.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What an operator knows during one term: pools, and the blocks of nodes.
///
/// A value. A block of a node is marked as used in every pool that it touches.
public final class MultiPoolView {

    private final SortedIndex<String, PodPool> pools;
    private final SortedIndex<String, NodeBlocksHeld> nodes;
    private final Progress progress;

    /// How much of the cluster an operator has seen.
    public enum Progress {
        /// Some nodes may not have been seen yet.
        LISTING,

        /// All nodes have been seen.
        SYNCED
    }

    private record NodeBlocksHeld(String node, List<PooledBlock> blocks) {}

    private MultiPoolView(
            SortedIndex<String, PodPool> pools, SortedIndex<String, NodeBlocksHeld> nodes, Progress progress) {
        this.pools = pools;
        this.nodes = nodes;
        this.progress = progress;
    }

    /// One that has seen nothing.
    public static MultiPoolView empty() {
        return new MultiPoolView(SortedIndex.empty(), SortedIndex.empty(), Progress.LISTING);
    }

    /// The pools in the order of their names.
    public List<PodPool> pools() {
        return pools.values();
    }

    Optional<PodPool> findPool(String name) {
        return pools.find(name);
    }

    /// The names of the nodes that have something, in their order.
    public List<String> nodes() {
        return nodes.values().stream().map(NodeBlocksHeld::node).toList();
    }

    /// What a node has, by pool and block.
    public List<PooledBlock> held(String node) {
        return nodes.find(node).map(NodeBlocksHeld::blocks).orElse(List.of());
    }

    public Progress progress() {
        return progress;
    }

    /// Whether another node has a part of a CIDR.
    boolean isHeldByAnother(String node, Prefix cidr) {
        return nodes.values().stream()
                .filter(other -> !other.node().equals(node))
                .flatMap(other -> other.blocks().stream())
                .anyMatch(block -> block.cidr().overlaps(cidr));
    }

    private List<Prefix> allHeld() {
        return nodes.values().stream()
                .flatMap(node -> node.blocks().stream())
                .map(PooledBlock::cidr)
                .toList();
    }

    /// The view as it is when the change has been taken.
    public MultiPoolView with(MultiPoolChange change) {
        return switch (change) {
            case PutPool(var pool) -> {
                var held = allHeld();
                var marked = pool.with(list -> list.withUsed(held));
                yield new MultiPoolView(pools.with(pool.name(), marked), nodes, progress);
            }
            case DropPool(var pool) -> new MultiPoolView(pools.without(pool), nodes, progress);
            case Sync() -> new MultiPoolView(pools, nodes, Progress.SYNCED);
            case Take(var node, var pool, var cidr) ->
                withBlock(node, new PooledBlock(pool, cidr, Account.COUNTED)).withCursorBehind(pool, cidr);
            case Occupy(var node, var pool, var cidr) -> withBlock(node, new PooledBlock(pool, cidr, Account.COUNTED));
            case Orphan(var node, var pool, var cidr) -> withBlock(node, new PooledBlock(pool, cidr, Account.ORPHANED));
            case GiveBack(var node, var pool, var cidr) -> withoutBlock(node, pool, cidr);
            case WriteAllocated _, WriteStatus _ -> this;
        };
    }

    private MultiPoolView withBlock(String node, PooledBlock block) {
        var blocks = new ArrayList<>(without(node, block.pool(), block.cidr()));
        blocks.add(block);
        return withBlocks(node, blocks).withPools(list -> list.withUsed(List.of(block.cidr())));
    }

    private List<PooledBlock> without(String node, String pool, Prefix cidr) {
        return held(node).stream().filter(block -> !block.is(pool, cidr)).toList();
    }

    private MultiPoolView withoutBlock(String node, String pool, Prefix cidr) {
        var fewer = withBlocks(node, without(node, pool, cidr));
        var left = fewer.allHeld();
        return fewer.withPools(list -> list.withUnused(List.of(cidr), left));
    }

    private MultiPoolView withBlocks(String node, List<PooledBlock> blocks) {
        var sorted = blocks.stream().sorted().toList();
        return new MultiPoolView(
                pools,
                sorted.isEmpty() ? nodes.without(node) : nodes.with(node, new NodeBlocksHeld(node, sorted)),
                progress);
    }

    private MultiPoolView withPools(UnaryOperator<CidrSetList> change) {
        var changed = pools;
        for (var pool : pools.values()) {
            changed = changed.with(pool.name(), pool.with(change));
        }
        return new MultiPoolView(changed, nodes, progress);
    }

    private MultiPoolView withCursorBehind(String pool, Prefix cidr) {
        var moved = pools.find(pool)
                .orElseThrow(() -> new IllegalStateException("pool %s is not known".formatted(pool)))
                .with(list -> list.withCursorBehind(cidr));
        return new MultiPoolView(pools.with(pool, moved), nodes, progress);
    }

    @Override
    public String toString() {
        return "%s, %d nodes, %s".formatted(progress, nodes.size(), pools.values());
    }
}
