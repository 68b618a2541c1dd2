package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import java.util.List;
import java.util.stream.Stream;

/// The ranges of Calico's pools, also of those that give nothing at the moment, and of blocks that outlive
/// their pool.
public final class PoolRanges {

    private PoolRanges() {}

    public static List<Holding> fetch(Datastore store) {
        return CalicoReader.readable(store.listAll(CalicoKeys.POOLS).documents()).stream()
                .flatMap(entry -> entry.content() instanceof IpPoolDocument document
                        ? Stream.of(document.pool())
                        : Stream.empty())
                .map(pool ->
                        new Holding(pool.cidr().range(), Level.POOL, "IPPool(%s)".formatted(pool.name()), State.HELD))
                .toList();
    }

    /// Those of the pools, and of the blocks that no pool contains: the holder of an address keeps it when
    /// the pool is deleted. Reads all blocks, so it is for taking a range and not for giving an address.
    public static List<Holding> fetchWithBlocks(Datastore store) {
        // The blocks first: the pool of each was there before it, so a pool that is missing is gone.
        var blocks = store.listAll(CalicoKeys.BLOCKS).documents();
        var pools = fetch(store);
        var alone = blocks.stream()
                .flatMap(document -> CalicoKeys.parse(document.key()).stream())
                .flatMap(key -> key instanceof CalicoKey.OfBlock(var cidr) ? Stream.of(cidr) : Stream.empty())
                .filter(cidr -> pools.stream().noneMatch(pool -> contains(pool, cidr)))
                .map(cidr -> new Holding(cidr.range(), Level.NODE, "IPAMBlock(%s)".formatted(cidr), State.HELD));
        return Stream.concat(pools.stream(), alone).toList();
    }

    private static boolean contains(Holding pool, Prefix cidr) {
        return pool.range().contains(cidr.range());
    }
}
