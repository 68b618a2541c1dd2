package io.cadastre.wire.calico;

import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
import io.cadastre.engine.block.Reservations;
import io.cadastre.engine.block.index.BlockSnapshot;

/// Which items of the block law Calico's documents are, and what they say about them.
public final class CalicoItems {

    private CalicoItems() {}

    /// The key of an item's document.
    public static CalicoKey key(BlockItem<?> item) {
        return switch (item) {
            case BlockItem.OfConfig _ -> new CalicoKey.OfConfig();
            case BlockItem.OfPool(var name) -> new CalicoKey.OfPool(name);
            case BlockItem.OfReservation(var name) -> new CalicoKey.OfReservation(name);
            case BlockItem.OfNode(var name) -> new CalicoKey.OfNode(name);
            case BlockItem.OfAffinity(var owner, var cidr) -> new CalicoKey.OfAffinity(owner, cidr);
            case BlockItem.OfBlock(var cidr) -> new CalicoKey.OfBlock(cidr);
            case BlockItem.OfHandle(var id) -> new CalicoKey.OfHandle(id);
            case BlockItem.OfHostRecord(var host) -> new CalicoKey.OfHostRecord(host);
        };
    }

    /// The view with what the document says.
    public static BlockSnapshot with(BlockSnapshot view, CalicoDocument document) {
        return switch (document) {
            case ConfigDocument read -> view.with(new BlockItem.OfConfig(), read.config());
            case IpPoolDocument read -> view.with(BlockItem.of(read.pool()), read.pool());
            case ReservationDocument read ->
                view.with(new BlockItem.OfReservation(read.name()), Reservations.of(read.reserved()));
            case CalicoNodeDocument read -> view.with(BlockItem.of(read.node()), read.node());
            case AffinityDocument read -> view.with(BlockItem.of(read.affinity()), read.affinity());
            case BlockDocument read -> view.with(BlockItem.of(read.block()), read.block());
            case HandleDocument read -> view.with(BlockItem.of(read.handle()), read.handle());
            case HostRecordDocument read -> {
                var item = new BlockItem.OfHostRecord(read.host());
                yield view.with(item, item);
            }
            case ClusterInformationDocument _ -> view;
        };
    }

    /// The view without the document of the key.
    public static BlockSnapshot without(BlockSnapshot view, CalicoKey key) {
        return switch (key) {
            case CalicoKey.OfConfig _ -> view.without(new BlockItem.OfConfig());
            case CalicoKey.OfPool(var name) -> view.without(new BlockItem.OfPool(name));
            case CalicoKey.OfReservation(var name) -> view.without(new BlockItem.OfReservation(name));
            case CalicoKey.OfNode(var name) -> view.without(new BlockItem.OfNode(name));
            case CalicoKey.OfAffinity(var owner, var cidr) -> view.without(new BlockItem.OfAffinity(owner, cidr));
            case CalicoKey.OfBlock(var cidr) -> view.without(new BlockItem.OfBlock(cidr));
            case CalicoKey.OfHandle(var id) -> view.without(new BlockItem.OfHandle(id));
            case CalicoKey.OfHostRecord(var host) -> view.without(new BlockItem.OfHostRecord(host));
            case CalicoKey.OfClusterInformation _ -> view;
        };
    }

    /// Whether the document of the key is one of the listing.
    static boolean lists(BlockListing listing, CalicoKey key) {
        return switch (listing) {
            case BlockListing.OfPools _ -> key instanceof CalicoKey.OfPool;
            case BlockListing.OfReservations _ -> key instanceof CalicoKey.OfReservation;
            case BlockListing.OfAffinities(var owner, var family) ->
                key instanceof CalicoKey.OfAffinity(var other, var cidr)
                        && other.equals(owner)
                        && cidr.family() == family;
            case BlockListing.OfAllAffinities _ -> key instanceof CalicoKey.OfAffinity;
            case BlockListing.OfBlocks(var family) ->
                key instanceof CalicoKey.OfBlock(var cidr) && cidr.family() == family;
            case BlockListing.OfHandles _ -> key instanceof CalicoKey.OfHandle;
        };
    }
}
