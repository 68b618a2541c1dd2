package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Unread;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A view of what has been read so far, kept in memory.
///
/// Whoever reads documents tells it what he found, with the `knowing…` methods; each returns another
/// view, which shares nearly everything with the one before.
public final class KnownBlocks implements BlockView {

    private static final String ONE = "";

    private final Shelf<String, IpamConfig> config;
    private final Shelf<String, List<Pool>> pools;
    private final Shelf<String, Reservations> reservations;
    private final Shelf<String, Node> nodes;
    private final Shelf<AffinityKey, Affinity> affinities;
    private final SortedIndex<AffinityKey, AffinityKey> affinityLists;
    private final BlockIndex blocks;
    private final Shelf<Prefix, Prefix> blockKeys;
    private final Shelf<Family, Family> blockLists;
    private final SortedIndex<Prefix, Prefix> lastSeenFull;
    private final Shelf<String, Handle> handles;
    private final Shelf<String, String> hostRecords;

    private KnownBlocks(Parts parts) {
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
    public static KnownBlocks unread() {
        return new KnownBlocks(new Parts());
    }

    /// A view of a store in which there is nothing.
    public static KnownBlocks empty() {
        var parts = new Parts();
        parts.config = Shelf.complete();
        parts.pools = parts.pools.with(ONE, List.of());
        parts.reservations = parts.reservations.with(ONE, Reservations.NONE);
        parts.nodes = Shelf.complete();
        parts.affinities = Shelf.complete();
        parts.blockKeys = Shelf.complete();
        parts.blockLists = Shelf.complete();
        for (var family : Family.values()) {
            parts.blockLists = parts.blockLists.with(family, family);
        }
        parts.handles = Shelf.complete();
        parts.hostRecords = Shelf.complete();
        return new KnownBlocks(parts);
    }

    /// Affinities sort by owner and family, and then as a store sorts them.
    private record AffinityKey(Owner owner, Family family, String text)
            implements Comparable<AffinityKey> {

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
        return config.find(ONE, BlockLack.OfConfig::new).orElse(IpamConfig.DEFAULT);
    }

    @Override
    public List<Pool> pools() {
        return pools.find(ONE, BlockLack.OfPools::new).orElse(List.of());
    }

    @Override
    public Reservations reservations() {
        return reservations.find(ONE, BlockLack.OfReservations::new).orElse(Reservations.NONE);
    }

    @Override
    public Optional<Node> findNode(String name) {
        return nodes.find(name, () -> new BlockLack.OfNode(name));
    }

    @Override
    public List<Affinity> affinitiesOf(Owner owner, Family family) {
        if (!listed(owner, family)) {
            throw new Unread(new BlockLack.OfAffinities(owner, family));
        }
        return affinities.knownBetween(
                AffinityKey.first(owner, family), AffinityKey.last(owner, family));
    }

    @Override
    public Optional<Affinity> findAffinity(Owner owner, Prefix cidr) {
        var key = AffinityKey.of(owner, cidr);
        return listed(owner, cidr.family())
                ? affinities.findKnown(key)
                : affinities.find(key, () -> new BlockLack.OfAffinity(owner, cidr));
    }

    private boolean listed(Owner owner, Family family) {
        return affinities.isComplete()
                || affinityLists.find(AffinityKey.first(owner, family)).isPresent();
    }

    @Override
    public List<Affinity> affinities() {
        return affinities.all(BlockLack.OfAllAffinities::new);
    }

    @Override
    public Optional<Block> findBlock(Prefix cidr) {
        var found = blocks.find(cidr);
        if (found.isEmpty() && !knowsBlock(cidr)) {
            throw new Unread(new BlockLack.OfBlock(cidr));
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
    public Optional<Block> findOpenBlock(Pool pool, Address from) {
        checkListed(pool.family());
        return blocks.firstOpen(pool.cidr(), pool.blockLength(), from);
    }

    @Override
    public Optional<Block> findHollowBlock(Pool pool, Address from) {
        checkListed(pool.family());
        return blocks.firstHollow(pool.cidr(), pool.blockLength(), from);
    }

    private void checkListed(Family family) {
        if (blockLists.findKnown(family).isEmpty()) {
            throw new Unread(new BlockLack.OfAllBlocks(family));
        }
    }

    @Override
    public List<Block> knownBlocksOf(Owner owner, Family family) {
        return blocks.ownedBy(owner, family);
    }

    @Override
    public Optional<Prefix> findUnclaimed(Pool pool, Address from, Address to) {
        return blocks.firstGap(from, to, pool.blockLength());
    }

    @Override
    public Optional<Prefix> findKnownRival(Prefix cidr) {
        return blocks.findRival(cidr);
    }

    @Override
    public Optional<Handle> findHandle(String id) {
        return handles.find(id, () -> new BlockLack.OfHandle(id));
    }

    @Override
    public List<Handle> handles() {
        return handles.all(BlockLack.OfAllHandles::new);
    }

    @Override
    public boolean hasHostRecord(String host) {
        return hostRecords.find(host, () -> new BlockLack.OfHostRecord(host)).isPresent();
    }

    @Override
    public KnownBlocks with(BlockChange change) {
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

    // ---- what it is told ----

    public KnownBlocks knowing(IpamConfig read) {
        var parts = new Parts(this);
        parts.config = config.with(ONE, read);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoConfig() {
        var parts = new Parts(this);
        parts.config = config.without(ONE);
        return new KnownBlocks(parts);
    }

    /// There are these pools and no others.
    public KnownBlocks knowingPools(Collection<Pool> read) {
        var parts = new Parts(this);
        parts.pools =
                pools.with(ONE, read.stream().sorted(Comparator.comparing(Pool::name)).toList());
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowing(Reservations read) {
        var parts = new Parts(this);
        parts.reservations = reservations.with(ONE, read);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowing(Node node) {
        var parts = new Parts(this);
        parts.nodes = nodes.with(node.name(), node);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoNode(String name) {
        var parts = new Parts(this);
        parts.nodes = nodes.without(name);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowing(Affinity affinity) {
        var parts = new Parts(this);
        parts.affinities =
                affinities.with(AffinityKey.of(affinity.owner(), affinity.cidr()), affinity);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoAffinity(Owner owner, Prefix cidr) {
        var parts = new Parts(this);
        parts.affinities = affinities.without(AffinityKey.of(owner, cidr));
        return new KnownBlocks(parts);
    }

    /// The owner has these affinities of the family and no others.
    public KnownBlocks knowingAffinities(Owner owner, Family family, Collection<Affinity> read) {
        var parts = new Parts(this);
        var shelf = affinities;
        for (var former :
                affinities.knownBetween(
                        AffinityKey.first(owner, family), AffinityKey.last(owner, family))) {
            shelf = shelf.without(AffinityKey.of(owner, former.cidr()));
        }
        for (var affinity : read) {
            shelf = shelf.with(AffinityKey.of(owner, affinity.cidr()), affinity);
        }
        parts.affinities = shelf;
        var key = AffinityKey.first(owner, family);
        parts.affinityLists = affinityLists.with(key, key);
        return new KnownBlocks(parts);
    }

    /// There are these affinities and no others.
    public KnownBlocks knowingAllAffinities(Collection<Affinity> read) {
        var parts = new Parts(this);
        var shelf = Shelf.<AffinityKey, Affinity>complete();
        for (var affinity : read) {
            shelf = shelf.with(AffinityKey.of(affinity.owner(), affinity.cidr()), affinity);
        }
        parts.affinities = shelf;
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowing(Block block) {
        var parts = new Parts(this);
        parts.blocks = blocks.with(block);
        parts.blockKeys = blockKeys.with(block.cidr(), block.cidr());
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoBlock(Prefix cidr) {
        var parts = new Parts(this);
        parts.blocks = blocks.without(cidr);
        parts.blockKeys = blockKeys.without(cidr);
        return new KnownBlocks(parts);
    }

    /// These blocks were full when they were last read, which is long ago.
    public KnownBlocks havingSeenFull(Collection<Prefix> cidrs) {
        var parts = new Parts(this);
        for (var cidr : cidrs) {
            parts.lastSeenFull = parts.lastSeenFull.with(cidr, cidr);
        }
        return new KnownBlocks(parts);
    }

    /// There are these blocks of the family and no others.
    public KnownBlocks knowingBlocks(Family family, Collection<Block> read) {
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
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowing(Handle handle) {
        var parts = new Parts(this);
        parts.handles = handles.with(handle.id(), handle);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoHandle(String id) {
        var parts = new Parts(this);
        parts.handles = handles.without(id);
        return new KnownBlocks(parts);
    }

    /// There are these handles and no others.
    public KnownBlocks knowingAllHandles(Collection<Handle> read) {
        var parts = new Parts(this);
        var shelf = Shelf.<String, Handle>complete();
        for (var handle : read) {
            shelf = shelf.with(handle.id(), handle);
        }
        parts.handles = shelf;
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingHostRecord(String host) {
        var parts = new Parts(this);
        parts.hostRecords = hostRecords.with(host, host);
        return new KnownBlocks(parts);
    }

    public KnownBlocks knowingNoHostRecord(String host) {
        var parts = new Parts(this);
        parts.hostRecords = hostRecords.without(host);
        return new KnownBlocks(parts);
    }

    /// The fields on the way to another view.
    private static final class Parts {

        private Shelf<String, IpamConfig> config;
        private Shelf<String, List<Pool>> pools;
        private Shelf<String, Reservations> reservations;
        private Shelf<String, Node> nodes;
        private Shelf<AffinityKey, Affinity> affinities;
        private SortedIndex<AffinityKey, AffinityKey> affinityLists;
        private BlockIndex blocks;
        private Shelf<Prefix, Prefix> blockKeys;
        private Shelf<Family, Family> blockLists;
        private SortedIndex<Prefix, Prefix> lastSeenFull;
        private Shelf<String, Handle> handles;
        private Shelf<String, String> hostRecords;

        Parts() {
            config = Shelf.unread();
            pools = Shelf.unread();
            reservations = Shelf.unread();
            nodes = Shelf.unread();
            affinities = Shelf.unread();
            affinityLists = SortedIndex.empty();
            blocks = BlockIndex.EMPTY;
            blockKeys = Shelf.unread();
            blockLists = Shelf.unread();
            lastSeenFull = SortedIndex.empty();
            handles = Shelf.unread();
            hostRecords = Shelf.unread();
        }

        Parts(KnownBlocks known) {
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
