package io.cadastre.engine.block.index;

import io.cadastre.address.Family;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.Owner;

/// The place of an item among all items: those of a listing are neighbours, in the order in which stores
/// list them.
///
/// @param owner of an affinity; of anything else, and before all affinities, a host without a name
record ItemKey(Kind kind, Owner owner, String name) implements Comparable<ItemKey> {

    private static final Owner NO_OWNER = Owner.host("");

    enum Kind {
        CONFIG,
        POOL,
        RESERVATION,
        NODE,
        AFFINITY,
        BLOCK,
        HANDLE,
        HOST_RECORD
    }

    static ItemKey of(BlockItem<?> item) {
        return switch (item) {
            case BlockItem.OfConfig _ -> first(Kind.CONFIG);
            case BlockItem.OfPool(var name) -> new ItemKey(Kind.POOL, NO_OWNER, name);
            case BlockItem.OfReservation(var name) -> new ItemKey(Kind.RESERVATION, NO_OWNER, name);
            case BlockItem.OfNode(var name) -> new ItemKey(Kind.NODE, NO_OWNER, name);
            case BlockItem.OfAffinity(var owner, var cidr) ->
                new ItemKey(Kind.AFFINITY, owner, prefix(cidr.family()) + Affinity.key(cidr));
            case BlockItem.OfBlock(var cidr) ->
                new ItemKey(Kind.BLOCK, NO_OWNER, prefix(cidr.family()) + Affinity.key(cidr));
            case BlockItem.OfHandle(var id) -> new ItemKey(Kind.HANDLE, NO_OWNER, id);
            case BlockItem.OfHostRecord(var host) -> new ItemKey(Kind.HOST_RECORD, NO_OWNER, host);
        };
    }

    /// No item of the listing comes before it. Every listing has another.
    static ItemKey firstOf(BlockListing listing) {
        return switch (listing) {
            case BlockListing.OfPools _ -> first(Kind.POOL);
            case BlockListing.OfReservations _ -> first(Kind.RESERVATION);
            case BlockListing.OfAffinities(var owner, var family) -> new ItemKey(Kind.AFFINITY, owner, prefix(family));
            case BlockListing.OfAllAffinities _ -> first(Kind.AFFINITY);
            case BlockListing.OfBlocks(var family) -> new ItemKey(Kind.BLOCK, NO_OWNER, prefix(family));
            case BlockListing.OfHandles _ -> first(Kind.HANDLE);
        };
    }

    /// All items of the listing come before it.
    static ItemKey endOf(BlockListing listing) {
        var first = firstOf(listing);
        return switch (listing) {
            // Addresses have digits, dots, colons and a dash.
            case BlockListing.OfAffinities _, BlockListing.OfBlocks _ ->
                new ItemKey(first.kind, first.owner, first.name + "~");
            case BlockListing.OfPools _,
                    BlockListing.OfReservations _,
                    BlockListing.OfAllAffinities _,
                    BlockListing.OfHandles _ -> end(first.kind);
        };
    }

    static ItemKey first(Kind kind) {
        return new ItemKey(kind, NO_OWNER, "");
    }

    /// The start of the next kind. No item is there, since every name but that of the configuration has
    /// a letter or more.
    static ItemKey end(Kind kind) {
        return first(
                switch (kind) {
                    case CONFIG -> Kind.POOL;
                    case POOL -> Kind.RESERVATION;
                    case RESERVATION -> Kind.NODE;
                    case NODE -> Kind.AFFINITY;
                    case AFFINITY -> Kind.BLOCK;
                    case BLOCK -> Kind.HANDLE;
                    case HANDLE -> Kind.HOST_RECORD;
                    case HOST_RECORD -> throw new IllegalArgumentException("no kind follows host records");
                });
    }

    private static String prefix(Family family) {
        return switch (family) {
            case IPV4 -> "4/";
            case IPV6 -> "6/";
        };
    }

    @Override
    public int compareTo(ItemKey other) {
        int order = kind.compareTo(other.kind);
        if (order == 0) {
            order = owner.compareTo(other.owner);
        }
        return order == 0 ? name.compareTo(other.name) : order;
    }
}
