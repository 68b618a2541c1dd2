package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.block.Attribute.Cooling;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockRefusal.NotThere;
import io.cadastre.engine.block.Utilization.Numbers;
import io.cadastre.engine.block.Utilization.OfBlock;
import io.cadastre.engine.block.assign.PoolSelection;
import io.cadastre.engine.block.release.BlockGiveUp;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Questions that change nothing.
public final class BlockQueries {

    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private BlockQueries() {}

    /// The addresses that a handle holds; empty if there is no such handle.
    public static Optional<List<Address>> addressesOf(BlockView view, String handle) {
        var id = Attribute.clean(handle);
        return view.findHandle(id).map(found -> Handles.addresses(view, found, id));
    }

    /// What is known about the holder of an address. Calico says that an address of a disabled pool is
    /// not assigned; here it is found.
    public static AddressAttributes attributesOf(BlockView view, Address address, Instant now) {
        var pool = PoolSelection.anyAround(view, address);
        if (pool.isEmpty()) {
            return notThere(address, "No valid IPPool");
        }
        var cidr = pool.get().block(address);
        var found = view.findBlock(cidr);
        if (found.isEmpty()) {
            return new AddressAttributes.Refused(NotThere.block(cidr));
        }
        if (found.get().damaged()) {
            return new AddressAttributes.Refused(new Draft(view, now).damaged(found.get()));
        }
        var block = found.get().normalised(view.config().cooldownSeconds(), now);
        var attribute = block.attribute(block.ordinal(address).orElseThrow());
        if (attribute.isEmpty()) {
            return notThere(address, "IP is unassigned");
        }
        return switch (attribute.get()) {
            case Held held ->
                new AddressAttributes.Assigned(new Held(held.cleanHandle(), held.owner(), held.alternate()));
            case Cooling _ -> new AddressAttributes.Refused(new BlockRefusal.InCooldown(address));
        };
    }

    private static AddressAttributes notThere(Address address, String cause) {
        return new AddressAttributes.Refused(new NotThere(address.toString(), cause));
    }

    /// How much of these pools is used.
    ///
    /// @param wanted names or prefixes of pools; all pools if empty, and then also the blocks that are
    ///     in none of them, those of IPv6 too
    public static List<Utilization> utilization(BlockView view, List<String> wanted) {
        var pools = view.pools().stream()
                .filter(pool -> wanted.isEmpty()
                        || wanted.contains(pool.name())
                        || wanted.contains(pool.cidr().toString()))
                .toList();
        var blocks = new TreeMap<String, List<Block>>();
        var orphans = new ArrayList<Block>();
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                pools.stream()
                        .filter(pool -> pool.cidr().overlaps(block.cidr()))
                        .findFirst()
                        .map(pool -> blocks.computeIfAbsent(pool.name(), _ -> new ArrayList<>()))
                        .orElse(orphans)
                        .add(block);
            }
        }
        var used = new ArrayList<Utilization>();
        for (var pool : pools) {
            used.add(of(view, pool, blocks.getOrDefault(pool.name(), List.of())));
        }
        if (wanted.isEmpty()) {
            used.add(new Utilization(
                    Utilization.ORPHANS,
                    Prefix.parse("0.0.0.0/0"),
                    new Numbers(0, 0, 0, 0),
                    orphans.stream().map(block -> of(view, block)).toList()));
        }
        return List.copyOf(used);
    }

    private static Utilization of(BlockView view, IpPool pool, List<Block> blocks) {
        var ofBlocks = blocks.stream().map(block -> of(view, block)).toList();
        var reserved = view.reservations().addresses().intersect(RangeSet.of(pool.cidr()));
        var untouched = RangeSet.of(pool.cidr())
                .minus(reserved)
                .minus(RangeSet.ofPrefixes(blocks.stream().map(Block::cidr).toList()));
        long inUse =
                ofBlocks.stream().mapToLong(block -> block.numbers().inUse()).sum();
        long inBlocks = ofBlocks.stream()
                .mapToLong(block -> block.numbers().available())
                .sum();
        return new Utilization(
                pool.name(),
                pool.cidr(),
                new Numbers(
                        saturated(pool.cidr().size()),
                        inUse,
                        saturated(reserved.size()),
                        saturated(untouched.size().add(BigInteger.valueOf(inBlocks)))),
                ofBlocks);
    }

    private static OfBlock of(BlockView view, Block block) {
        var reservations = view.reservations();
        return new OfBlock(
                block.cidr(),
                BlockGiveUp.ownerWords(block),
                new Numbers(
                        block.size(),
                        block.size() - block.freeCount(),
                        reservations.countIn(block.cidr()).longValueExact(),
                        block.damaged() ? 0 : block.free(reservations)));
    }

    private static long saturated(BigInteger number) {
        return number.min(LONG_MAX).longValueExact();
    }
}
