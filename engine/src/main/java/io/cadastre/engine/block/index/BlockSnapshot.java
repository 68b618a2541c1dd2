package io.cadastre.engine.block.index;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.MissingBlockItem;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Reservations;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A view of what has been read so far, kept in memory.
///
/// A reader of documents passes what it found to the `knowing…` methods; each returns another view,
/// which shares nearly everything with the one before.
public final class BlockSnapshot implements BlockView {

    private static final String ONE = "";

    private final KnownItems<String, IpamConfig> config;
    private final KnownItems<String, List<IpPool>> pools;
    private final KnownItems<String, Reservations> reservations;
    private final KnownItems<String, Node> nodes;
    private final KnownItems<AffinityKey, Affinity> affinities;
    private final SortedIndex<AffinityKey, AffinityKey> affinityLists;
    private final BlockIndex blocks;
    private final KnownItems<Prefix, Prefix> blockKeys;
    private final KnownItems<Family, Family> blockLists;
    private final SortedIndex<Prefix, Prefix> lastSeenFull;
    private final KnownItems<String, Handle> handles;
    private final KnownItems<String, String> hostRecords;

    private BlockSnapshot(Parts parts) {
        config = parts.config;
        pools = parts.pools;
        reservations = parts.reservations;
        nodes = parts.nodes;
        affinities = parts.affinities;
        affinityLists = parts.affinityLists;
        blocks = parts.blocks;
        blockKeys = parts.blockKeys;
        blockLists = parts.blockLists;
        lastSeenFull = parts.lastSeenFull;
        handles = parts.handles;
        hostRecords = parts.hostRecords;
    }

    /// A view of which nothing has been read.
    public static BlockSnapshot notRead() {
        return new BlockSnapshot(new Parts());
    }

    /// A view of a store in which there is nothing.
    public static BlockSnapshot empty() {
        var parts = new Parts();
        parts.config = KnownItems.complete();
        parts.pools = parts.pools.with(ONE, List.of());
        parts.reservations = parts.reservations.with(ONE, Reservations.NONE);
        parts.nodes = KnownItems.complete();
        parts.affinities = KnownItems.complete();
        parts.blockKeys = KnownItems.complete();
        parts.blockLists = KnownItems.complete();
        for (var family : Family.values()) {
            parts.blockLists = parts.blockLists.with(family, family);
        }
        parts.handles = KnownItems.complete();
        parts.hostRecords = KnownItems.complete();
        return new BlockSnapshot(parts);
    }

    /// Affinities sort by owner and family, and then as a store sorts them.
    private record AffinityKey(Owner owner, Family family, String text) implements Comparable<AffinityKey> {

        static AffinityKey of(Owner owner, Prefix cidr) {
            return new AffinityKey(owner, cidr.family(), Affinity.key(cidr));
        }

        static AffinityKey first(Owner owner, Family family) {
            return new AffinityKey(owner, family, "");
        }

        static AffinityKey last(Owner owner, Family family) {
            return new AffinityKey(owner, family, "~");
        }

        @Override
        public int compareTo(AffinityKey other) {
            int order = owner.compareTo(other.owner);
            if (order == 0) {
                order = family.compareTo(other.family);
            }
            return order == 0 ? text.compareTo(other.text) : order;
        }
    }

    // ---- what it answers ----

    @Override
    public IpamConfig config() {
        return config.find(ONE, MissingBlockItem.OfConfig::new).orElse(IpamConfig.DEFAULT);
    }

    @Override
    public List<IpPool> pools() {
        return pools.find(ONE, MissingBlockItem.OfPools::new).orElse(List.of());
    }

    @Override
    public Reservations reservations() {
        return reservations.find(ONE, MissingBlockItem.OfReservations::new).orElse(Reservations.NONE);
    }

    @Override
    public Optional<Node> findNode(String name) {
        return nodes.find(name, () -> new MissingBlockItem.OfNode(name));
    }

    @Override
    public List<Affinity> affinitiesOf(Owner owner, Family family) {
        if (!listed(owner, family)) {
            throw new NotReadException(new MissingBlockItem.OfAffinities(owner, family));
        }
        return affinities.knownBetween(AffinityKey.first(owner, family), AffinityKey.last(owner, family));
    }

    @Override
    public Optional<Affinity> findAffinity(Owner owner, Prefix cidr) {
        var key = AffinityKey.of(owner, cidr);
        return listed(owner, cidr.family())
                ? affinities.findKnown(key)
                : affinities.find(key, () -> new MissingBlockItem.OfAffinity(owner, cidr));
    }

    private boolean listed(Owner owner, Family family) {
        return affinities.isComplete()
                || affinityLists.find(AffinityKey.first(owner, family)).isPresent();
    }

    @Override
    public List<Affinity> affinities() {
        return affinities.all(MissingBlockItem.OfAllAffinities::new);
    }

    @Override
    public Optional<Block> findBlock(Prefix cidr) {
        var found = blocks.find(cidr);
        if (found.isEmpty() && !knowsBlock(cidr)) {
            throw new NotReadException(new MissingBlockItem.OfBlock(cidr));
        }
        return found;
    }

    @Override
    public boolean lastSeenFull(Prefix cidr) {
        return lastSeenFull.find(cidr).isPresent() && !knowsBlock(cidr);
    }

    /// Whether it is known that there is such a block, or that there is none.
    public boolean knowsBlock(Prefix cidr) {
        return blockLists.findKnown(cidr.family()).isPresent() || blockKeys.knows(cidr);
    }

    @Override
    public List<Block> blocks(Family family) {
        checkListed(family);
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
        checkListed(address.family());
        return blocks.around(address);
    }

    /// The block around an address, if it is known.
    public Optional<Block> findReadBlock(Address address) {
        return blocks.around(address);
    }

    @Override
    public Optional<Block> findOpenBlock(IpPool pool, Address from) {
        checkListed(pool.family());
        return blocks.firstOpen(pool.cidr(), pool.blockLength(), from);
    }

    @Override
    public Optional<Block> findHollowBlock(IpPool pool, Address from) {
        checkListed(pool.family());
        return blocks.firstHollow(pool.cidr(), pool.blockLength(), from);
    }

    private void checkListed(Family family) {
        if (blockLists.findKnown(family).isEmpty()) {
            throw new NotReadException(new MissingBlockItem.OfAllBlocks(family));
        }
    }

    @Override
    public List<Block> blocksOf(Owner owner, Family family) {
        checkListed(family);
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
        return handles.find(id, () -> new MissingBlockItem.OfHandle(id));
    }

    @Override
    public List<Handle> handles() {
        return handles.all(MissingBlockItem.OfAllHandles::new);
    }

    @Override
    public boolean hasHostRecord(String host) {
        return hostRecords
                .find(host, () -> new MissingBlockItem.OfHostRecord(host))
                .isPresent();
    }

    @Override
    public BlockSnapshot with(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) -> knowing(affinity);
            case BlockChange.DropAffinity(var owner, var cidr) -> knowingNoAffinity(owner, cidr);
            case BlockChange.PutBlock put -> knowing(put.after());
            case BlockChange.DropBlock(var block) -> knowingNoBlock(block.cidr());
            case BlockChange.PutHandle(var handle) -> knowing(handle);
            case BlockChange.DropHandle(var id) -> knowingNoHandle(id);
            case BlockChange.PutConfig(var changed) -> knowing(changed);
            case BlockChange.DropHostRecord(var host) -> knowingNoHostRecord(host);
        };
    }

    // ---- what it is given ----

    public BlockSnapshot knowing(IpamConfig read) {
        var parts = new Parts(this);
        parts.config = config.with(ONE, read);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoConfig() {
        var parts = new Parts(this);
        parts.config = config.without(ONE);
        return new BlockSnapshot(parts);
    }

    /// There are these pools and no others.
    public BlockSnapshot knowingPools(Collection<IpPool> read) {
        var parts = new Parts(this);
        parts.pools = pools.with(
                ONE, read.stream().sorted(Comparator.comparing(IpPool::name)).toList());
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowing(Reservations read) {
        var parts = new Parts(this);
        parts.reservations = reservations.with(ONE, read);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowing(Node node) {
        var parts = new Parts(this);
        parts.nodes = nodes.with(node.name(), node);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoNode(String name) {
        var parts = new Parts(this);
        parts.nodes = nodes.without(name);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowing(Affinity affinity) {
        var parts = new Parts(this);
        parts.affinities = affinities.with(AffinityKey.of(affinity.owner(), affinity.cidr()), affinity);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoAffinity(Owner owner, Prefix cidr) {
        var parts = new Parts(this);
        parts.affinities = affinities.without(AffinityKey.of(owner, cidr));
        return new BlockSnapshot(parts);
    }

    /// The owner has these affinities of the family and no others.
    public BlockSnapshot knowingAffinities(Owner owner, Family family, Collection<Affinity> read) {
        var parts = new Parts(this);
        var documents = affinities;
        for (var former : affinities.knownBetween(AffinityKey.first(owner, family), AffinityKey.last(owner, family))) {
            documents = documents.without(AffinityKey.of(owner, former.cidr()));
        }
        for (var affinity : read) {
            documents = documents.with(AffinityKey.of(owner, affinity.cidr()), affinity);
        }
        parts.affinities = documents;
        var key = AffinityKey.first(owner, family);
        parts.affinityLists = affinityLists.with(key, key);
        return new BlockSnapshot(parts);
    }

    /// There are these affinities and no others.
    public BlockSnapshot knowingAllAffinities(Collection<Affinity> read) {
        var parts = new Parts(this);
        var documents = KnownItems.<AffinityKey, Affinity>complete();
        for (var affinity : read) {
            documents = documents.with(AffinityKey.of(affinity.owner(), affinity.cidr()), affinity);
        }
        parts.affinities = documents;
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowing(Block block) {
        var parts = new Parts(this);
        parts.blocks = blocks.with(block);
        parts.blockKeys = blockKeys.with(block.cidr(), block.cidr());
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoBlock(Prefix cidr) {
        var parts = new Parts(this);
        parts.blocks = blocks.without(cidr);
        parts.blockKeys = blockKeys.without(cidr);
        return new BlockSnapshot(parts);
    }

    /// These blocks were full when they were last read, which is long ago.
    public BlockSnapshot havingSeenFull(Collection<Prefix> cidrs) {
        var parts = new Parts(this);
        for (var cidr : cidrs) {
            parts.lastSeenFull = parts.lastSeenFull.with(cidr, cidr);
        }
        return new BlockSnapshot(parts);
    }

    /// There are these blocks of the family and no others.
    public BlockSnapshot knowingBlocks(Family family, Collection<Block> read) {
        var parts = new Parts(this);
        var index = blocks;
        for (var former : blocks.all(family)) {
            index = index.without(former.cidr());
        }
        for (var block : read) {
            index = index.with(block);
        }
        parts.blocks = index;
        parts.blockLists = blockLists.with(family, family);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowing(Handle handle) {
        var parts = new Parts(this);
        parts.handles = handles.with(handle.id(), handle);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoHandle(String id) {
        var parts = new Parts(this);
        parts.handles = handles.without(id);
        return new BlockSnapshot(parts);
    }

    /// There are these handles and no others.
    public BlockSnapshot knowingAllHandles(Collection<Handle> read) {
        var parts = new Parts(this);
        var documents = KnownItems.<String, Handle>complete();
        for (var handle : read) {
            documents = documents.with(handle.id(), handle);
        }
        parts.handles = documents;
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingHostRecord(String host) {
        var parts = new Parts(this);
        parts.hostRecords = hostRecords.with(host, host);
        return new BlockSnapshot(parts);
    }

    public BlockSnapshot knowingNoHostRecord(String host) {
        var parts = new Parts(this);
        parts.hostRecords = hostRecords.without(host);
        return new BlockSnapshot(parts);
    }

    /// The fields on the way to another view.
    private static final class Parts {

        private KnownItems<String, IpamConfig> config;
        private KnownItems<String, List<IpPool>> pools;
        private KnownItems<String, Reservations> reservations;
        private KnownItems<String, Node> nodes;
        private KnownItems<AffinityKey, Affinity> affinities;
        private SortedIndex<AffinityKey, AffinityKey> affinityLists;
        private BlockIndex blocks;
        private KnownItems<Prefix, Prefix> blockKeys;
        private KnownItems<Family, Family> blockLists;
        private SortedIndex<Prefix, Prefix> lastSeenFull;
        private KnownItems<String, Handle> handles;
        private KnownItems<String, String> hostRecords;

        Parts() {
            config = KnownItems.notRead();
            pools = KnownItems.notRead();
            reservations = KnownItems.notRead();
            nodes = KnownItems.notRead();
            affinities = KnownItems.notRead();
            affinityLists = SortedIndex.empty();
            blocks = BlockIndex.EMPTY;
            blockKeys = KnownItems.notRead();
            blockLists = KnownItems.notRead();
            lastSeenFull = SortedIndex.empty();
            handles = KnownItems.notRead();
            hostRecords = KnownItems.notRead();
        }

        Parts(BlockSnapshot known) {
            config = known.config;
            pools = known.pools;
            reservations = known.reservations;
            nodes = known.nodes;
            affinities = known.affinities;
            affinityLists = known.affinityLists;
            blocks = known.blocks;
            blockKeys = known.blockKeys;
            blockLists = known.blockLists;
            lastSeenFull = known.lastSeenFull;
            handles = known.handles;
            hostRecords = known.hostRecords;
        }
    }
}
