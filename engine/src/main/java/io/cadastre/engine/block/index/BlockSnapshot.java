package io.cadastre.engine.block.index;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Reservations;
import io.cadastre.engine.block.index.ItemKey.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What has been read so far: of each item that it is there and what it says, that it is not there, or
/// nothing; and which listings are complete. A value: each change returns another snapshot, which shares
/// nearly everything with the one before.
///
/// Blocks have an index of their own, [BlockIndex], by which the next one with a free address is found.
public final class BlockSnapshot implements BlockView {

    /// Stands for an item that is known not to be there.
    private static final Object ABSENT = new Object();

    /// By item what it says; without blocks that are there.
    private final SortedIndex<ItemKey, Object> items;

    /// By their first items, the listings that are known completely.
    private final SortedIndex<ItemKey, ItemKey> complete;

    private final BlockIndex blocks;

    /// Derived from the items: the union of all reservations.
    private final Reservations reservations;

    /// Blocks in which nothing was free when they were last read, too long ago to serve.
    private final SortedIndex<Prefix, Prefix> lastSeenFull;

    /// Whether there is nothing that is not here.
    private final boolean everything;

    private BlockSnapshot(
            SortedIndex<ItemKey, Object> items,
            SortedIndex<ItemKey, ItemKey> complete,
            BlockIndex blocks,
            Reservations reservations,
            SortedIndex<Prefix, Prefix> lastSeenFull,
            boolean everything) {
        this.items = items;
        this.complete = complete;
        this.blocks = blocks;
        this.reservations = reservations;
        this.lastSeenFull = lastSeenFull;
        this.everything = everything;
    }

    /// A view of which nothing has been read.
    public static BlockSnapshot notRead() {
        return start(false);
    }

    /// A view of a store in which there is nothing.
    public static BlockSnapshot empty() {
        return start(true);
    }

    private static BlockSnapshot start(boolean everything) {
        return new BlockSnapshot(
                SortedIndex.empty(),
                SortedIndex.empty(),
                BlockIndex.EMPTY,
                Reservations.NONE,
                SortedIndex.empty(),
                everything);
    }

    // ---- what it answers ----

    @Override
    public IpamConfig config() {
        return find(new BlockItem.OfConfig()).orElse(IpamConfig.DEFAULT);
    }

    @Override
    public List<IpPool> pools() {
        return all(new BlockListing.OfPools(), IpPool.class);
    }

    @Override
    public Reservations reservations() {
        checkComplete(new BlockListing.OfReservations());
        return reservations;
    }

    @Override
    public Optional<Node> findNode(String name) {
        return find(new BlockItem.OfNode(name));
    }

    /// The nodes that have been read. There may be others.
    public List<Node> knownNodes() {
        return items.between(ItemKey.first(Kind.NODE), ItemKey.end(Kind.NODE)).stream()
                .filter(Node.class::isInstance)
                .map(Node.class::cast)
                .toList();
    }

    @Override
    public List<Affinity> affinitiesOf(Owner owner, Family family) {
        return all(new BlockListing.OfAffinities(owner, family), Affinity.class);
    }

    @Override
    public Optional<Affinity> findAffinity(Owner owner, Prefix cidr) {
        return find(new BlockItem.OfAffinity(owner, cidr));
    }

    @Override
    public List<Affinity> affinities() {
        return all(new BlockListing.OfAllAffinities(), Affinity.class);
    }

    @Override
    public Optional<Block> findBlock(Prefix cidr) {
        return find(new BlockItem.OfBlock(cidr));
    }

    @Override
    public boolean lastSeenFull(Prefix cidr) {
        return lastSeenFull.find(cidr).isPresent() && !knowsBlock(cidr);
    }

    /// Whether it is known that there is such a block, or that there is none.
    public boolean knowsBlock(Prefix cidr) {
        var item = new BlockItem.OfBlock(cidr);
        return blocks.find(cidr).isPresent()
                || complete(item)
                || items.find(ItemKey.of(item)).isPresent();
    }

    @Override
    public List<Block> blocks(Family family) {
        checkComplete(new BlockListing.OfBlocks(family));
        // Each key is written once: writing it takes longer than comparing.
        return blocks.all(family).stream()
                .map(block -> new Keyed(Affinity.key(block.cidr()), block))
                .sorted(Comparator.comparing(Keyed::key))
                .map(Keyed::block)
                .toList();
    }

    private record Keyed(String key, Block block) {}

    @Override
    public Optional<Block> findBlockAround(Address address) {
        checkComplete(new BlockListing.OfBlocks(address.family()));
        return blocks.around(address);
    }

    /// The block around an address, if it is known.
    public Optional<Block> findReadBlock(Address address) {
        return blocks.around(address);
    }

    @Override
    public Optional<Block> findOpenBlock(IpPool pool, Address from) {
        checkComplete(new BlockListing.OfBlocks(pool.family()));
        return blocks.firstOpen(pool.cidr(), pool.blockLength(), from);
    }

    @Override
    public Optional<Block> findHollowBlock(IpPool pool, Address from) {
        checkComplete(new BlockListing.OfBlocks(pool.family()));
        return blocks.firstHollow(pool.cidr(), pool.blockLength(), from);
    }

    @Override
    public List<Block> blocksOf(Owner owner, Family family) {
        checkComplete(new BlockListing.OfBlocks(family));
        return blocks.ownedBy(owner, family);
    }

    @Override
    public List<Block> knownBlocksOf(Owner owner, Family family) {
        return blocks.ownedBy(owner, family);
    }

    @Override
    public Optional<Prefix> findUnclaimed(IpPool pool, Address from, Address to) {
        return blocks.firstGap(from, to, pool.blockLength());
    }

    @Override
    public Optional<Prefix> findKnownRival(Prefix cidr) {
        return blocks.findRival(cidr);
    }

    @Override
    public Optional<Handle> findHandle(String id) {
        return find(new BlockItem.OfHandle(id));
    }

    @Override
    public List<Handle> handles() {
        return all(new BlockListing.OfHandles(), Handle.class);
    }

    @Override
    public boolean hasHostRecord(String host) {
        return find(new BlockItem.OfHostRecord(host)).isPresent();
    }

    /// An item has only values of its own type, by [#with(BlockItem, Object)].
    ///
    /// @throws NotReadException if it is not known whether it is there
    @SuppressWarnings("unchecked")
    private <V> Optional<V> find(BlockItem<V> item) {
        var found = findKnown(item);
        if (found.isEmpty() && !complete(item)) {
            throw new NotReadException(item);
        }
        return (Optional<V>) found.filter(value -> !ABSENT.equals(value));
    }

    private Optional<?> findKnown(BlockItem<?> item) {
        if (item instanceof BlockItem.OfBlock(var cidr)) {
            var block = blocks.find(cidr);
            if (block.isPresent()) {
                return block;
            }
        }
        return items.find(ItemKey.of(item));
    }

    /// @throws NotReadException if it is not known which there are
    private <V> List<V> all(BlockListing listing, Class<V> type) {
        checkComplete(listing);
        return items.between(ItemKey.firstOf(listing), ItemKey.endOf(listing)).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void checkComplete(BlockListing listing) {
        if (!complete(listing)) {
            throw new NotReadException(listing);
        }
    }

    private boolean complete(BlockListing listing) {
        return everything
                || complete.find(ItemKey.firstOf(listing)).isPresent()
                || (listing instanceof BlockListing.OfAffinities && complete(new BlockListing.OfAllAffinities()));
    }

    /// Whether the item is there only if it is here.
    private boolean complete(BlockItem<?> item) {
        return everything
                || switch (item) {
                    case BlockItem.OfConfig _, BlockItem.OfNode _, BlockItem.OfHostRecord _ -> false;
                    case BlockItem.OfPool _ -> complete(new BlockListing.OfPools());
                    case BlockItem.OfReservation _ -> complete(new BlockListing.OfReservations());
                    case BlockItem.OfAffinity(var owner, var cidr) ->
                        complete(new BlockListing.OfAffinities(owner, cidr.family()));
                    case BlockItem.OfBlock(var cidr) -> complete(new BlockListing.OfBlocks(cidr.family()));
                    case BlockItem.OfHandle _ -> complete(new BlockListing.OfHandles());
                };
    }

    // ---- what it is given ----

    @Override
    public BlockSnapshot with(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity put -> with(put.item(), put.affinity());
            case BlockChange.PutBlock put -> with(put.item(), put.after());
            case BlockChange.PutHandle put -> with(put.item(), put.handle());
            case BlockChange.PutConfig put -> with(put.item(), put.config());
            case BlockChange.DropAffinity _,
                    BlockChange.DropBlock _,
                    BlockChange.DropHandle _,
                    BlockChange.DropHostRecord _ -> without(change.item());
        };
    }

    /// The item is there and says this.
    public <V> BlockSnapshot with(BlockItem<V> item, V value) {
        if (value instanceof Block block) {
            // Of a block that was there it is not noted that it is absent.
            var noted = blocks.find(block.cidr()).isPresent() ? items : without(items, ItemKey.of(item));
            return copy(noted, complete, blocks.with(block), reservations);
        }
        var key = ItemKey.of(item);
        var more = items.with(key, value);
        if (value instanceof Reservations reserved) {
            boolean further =
                    items.find(key).filter(Reservations.class::isInstance).isEmpty();
            return copy(more, complete, blocks, further ? reservations.with(reserved) : union(more));
        }
        return copy(more, complete, blocks, reservations);
    }

    /// The item is not there.
    public BlockSnapshot without(BlockItem<?> item) {
        var key = ItemKey.of(item);
        var fewer = complete(item) ? without(items, key) : items.with(key, ABSENT);
        return switch (item) {
            case BlockItem.OfBlock(var cidr) -> copy(fewer, complete, blocks.without(cidr), reservations);
            case BlockItem.OfReservation _ -> copy(fewer, complete, blocks, union(fewer));
            default -> copy(fewer, complete, blocks, reservations);
        };
    }

    /// There is none of these but those that are added from now on.
    public BlockSnapshot withNone(BlockListing listing) {
        var first = ItemKey.firstOf(listing);
        var fewer = items.without(first, ItemKey.endOf(listing));
        var index = blocks;
        if (listing instanceof BlockListing.OfBlocks(var family)) {
            for (var former : blocks.all(family)) {
                index = index.without(former.cidr());
            }
        }
        return copy(fewer, complete.with(first, first), index, union(fewer));
    }

    private static SortedIndex<ItemKey, Object> without(SortedIndex<ItemKey, Object> items, ItemKey key) {
        return items.find(key).isPresent() ? items.without(key) : items;
    }

    private static Reservations union(SortedIndex<ItemKey, Object> items) {
        var all = Reservations.NONE;
        for (var value : items.between(ItemKey.first(Kind.RESERVATION), ItemKey.end(Kind.RESERVATION))) {
            if (value instanceof Reservations reserved) {
                all = all.with(reserved);
            }
        }
        return all;
    }

    private BlockSnapshot copy(
            SortedIndex<ItemKey, Object> changed,
            SortedIndex<ItemKey, ItemKey> listed,
            BlockIndex index,
            Reservations reserved) {
        return new BlockSnapshot(changed, listed, index, reserved, lastSeenFull, everything);
    }

    /// These blocks were full when they were last read, which is long ago.
    public BlockSnapshot havingSeenFull(Collection<Prefix> cidrs) {
        var full = lastSeenFull;
        for (var cidr : cidrs) {
            full = full.with(cidr, cidr);
        }
        return new BlockSnapshot(items, complete, blocks, reservations, full, everything);
    }
}
