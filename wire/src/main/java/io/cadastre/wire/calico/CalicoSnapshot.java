package io.cadastre.wire.calico;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.MissingBlockItem;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Reservations;
import io.cadastre.engine.block.index.BlockSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What has been read of a store: the view of it, and by key the documents that may have to be written
/// again. A value.
record CalicoSnapshot(BlockSnapshot view, KeyedDocuments entries) {

    static final CalicoSnapshot NONE = new CalicoSnapshot(BlockSnapshot.notRead(), KeyedDocuments.NONE);

    Optional<StoredDocument> find(CalicoKey key) {
        return entries.find(key);
    }

    /// This and the missing item: one reading of the store.
    ///
    /// @throws UnparsableEntryException if a single document is missing and cannot be read
    CalicoSnapshot reading(MissingBlockItem missing, CalicoReader reader) {
        return switch (missing) {
            case MissingBlockItem.OfConfig _ -> reading(new CalicoKey.OfConfig(), reader);
            case MissingBlockItem.OfPools _ -> knowingPools(reader.list(CalicoKeys.POOLS));
            case MissingBlockItem.OfReservations _ -> knowingReservations(reader.list(CalicoKeys.RESERVATIONS));
            case MissingBlockItem.OfNode(var name) -> reading(new CalicoKey.OfNode(name), reader);
            case MissingBlockItem.OfAffinities(var owner, var family) -> knowingAffinities(owner, family, reader);
            case MissingBlockItem.OfAffinity(var owner, var cidr) ->
                reading(new CalicoKey.OfAffinity(owner, cidr), reader);
            case MissingBlockItem.OfAllAffinities _ -> {
                // Virtual owners have a place of their own.
                var all = new ArrayList<>(reader.list(CalicoKeys.HOSTS));
                all.addAll(reader.list(CalicoKeys.VIRTUALS));
                yield knowingAllAffinities(all).lookingAgain(all, reader);
            }
            case MissingBlockItem.OfBlock(var cidr) -> reading(new CalicoKey.OfBlock(cidr), reader);
            case MissingBlockItem.OfAllBlocks(var family) ->
                knowingBlocks(family, reader.list(CalicoKeys.blocks(family)));
            case MissingBlockItem.OfHandle(var id) -> reading(new CalicoKey.OfHandle(id), reader);
            case MissingBlockItem.OfAllHandles _ -> {
                var read = reader.list(CalicoKeys.HANDLES);
                yield knowingAllHandles(read).lookingAgain(read, reader);
            }
            case MissingBlockItem.OfHostRecord(var host) -> reading(new CalicoKey.OfHostRecord(host), reader);
        };
    }

    /// This and what the key holds now.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    CalicoSnapshot reading(CalicoKey key, CalicoReader reader) {
        var found = reader.get(key);
        return knowing(key, found).lookingAgain(found.stream().toList(), reader);
    }

    /// This and what the keys hold now, all of it read at once.
    ///
    /// @param needed those that must be readable; others that cannot be read stay unknown
    /// @throws UnparsableEntryException if one of those that are needed cannot be read
    CalicoSnapshot readingAll(Collection<CalicoKey> needed, Collection<CalicoKey> keys, CalicoReader reader) {
        var found = reader.getAll(keys);
        for (var key : found.unreadable()) {
            if (needed.contains(key)) {
                reader.get(key);
            }
        }
        return knowing(found.entries(), reader);
    }

    /// This and what the keys hold now, all of it read at once. A block that cannot be read still has an
    /// owner. Any other document that cannot be read stays unknown: a request that needs it reads it and
    /// reports why.
    CalicoSnapshot readingAgain(Collection<CalicoKey> keys, CalicoReader reader) {
        var found = reader.getAll(keys);
        var better = this;
        for (var key : found.unreadable()) {
            if (key instanceof CalicoKey.OfBlock(var cidr)) {
                better = better.knowingUnreadable(cidr);
            }
        }
        return better.knowing(found.entries(), reader);
    }

    private CalicoSnapshot knowing(Map<CalicoKey, Optional<StoredDocument>> found, CalicoReader reader) {
        var better = this;
        for (var read : found.entrySet()) {
            better = better.knowing(read.getKey(), read.getValue());
        }
        return better.lookingAgain(
                found.values().stream().flatMap(Optional::stream).toList(), reader);
    }

    /// Documents are not all read at the same instant. A handle that counts addresses in a block that was
    /// not there, or an affinity for a block of another owner, is newer than the read of the block; so the
    /// block is read again. Otherwise the handle would seem to count too many and the affinity to be stale,
    /// and a request that repairs that writes nothing by which it would notice.
    private CalicoSnapshot lookingAgain(Collection<StoredDocument> read, CalicoReader reader) {
        var blocks = read.stream()
                .flatMap(entry -> contradicted(entry).stream())
                .distinct()
                .<CalicoKey>map(CalicoKey.OfBlock::new)
                .toList();
        return blocks.isEmpty() ? this : readingAgain(blocks, reader);
    }

    /// The blocks that are not known to be as the document says.
    private List<Prefix> contradicted(StoredDocument entry) {
        return switch (entry.content()) {
            case HandleDocument document ->
                document.handle().counts().keySet().stream()
                        .filter(view::knowsBlock)
                        .filter(cidr -> view.findBlock(cidr).isEmpty())
                        .toList();
            case AffinityDocument document
            when document.affinity().confirmed() ->
                Stream.of(document.affinity().cidr())
                        .filter(view::knowsBlock)
                        .filter(cidr -> view.findBlock(cidr)
                                .filter(block ->
                                        block.ownedBy(document.affinity().owner()))
                                .isEmpty())
                        .toList();
            default -> List.of();
        };
    }

    /// This and what the key holds, or that it holds nothing.
    CalicoSnapshot knowing(CalicoKey key, Optional<StoredDocument> found) {
        return found.isPresent() ? knowing(found.get()) : knowingNothingAt(key);
    }

    CalicoSnapshot knowing(StoredDocument entry) {
        return knowing(List.of(entry));
    }

    /// This and what these keys hold.
    CalicoSnapshot knowing(Collection<StoredDocument> found) {
        var newView = view;
        for (var entry : found) {
            newView = with(newView, entry);
        }
        return new CalicoSnapshot(newView, entries.with(found));
    }

    private static BlockSnapshot with(BlockSnapshot view, StoredDocument entry) {
        return switch (entry.content()) {
            case BlockDocument document -> view.knowing(document.block());
            case AffinityDocument document -> view.knowing(document.affinity());
            case HandleDocument document -> view.knowing(document.handle());
            case ConfigDocument document -> view.knowing(document.config());
            case HostRecordDocument document -> view.knowingHostRecord(document.host());
            case CalicoNodeDocument document -> view.knowing(document.node());
            case IpPoolDocument _, ReservationDocument _, ClusterInformationDocument _ ->
                throw new IllegalStateException("%s is known in lists only".formatted(entry.key()));
        };
    }

    CalicoSnapshot knowingNothingAt(CalicoKey key) {
        var newView =
                switch (key) {
                    case CalicoKey.OfBlock(var cidr) -> view.knowingNoBlock(cidr);
                    case CalicoKey.OfAffinity(var owner, var cidr) -> view.knowingNoAffinity(owner, cidr);
                    case CalicoKey.OfHandle(var id) -> view.knowingNoHandle(id);
                    case CalicoKey.OfConfig _ -> view.knowingNoConfig();
                    case CalicoKey.OfHostRecord(var host) -> view.knowingNoHostRecord(host);
                    case CalicoKey.OfNode(var name) -> view.knowingNoNode(name);
                    case CalicoKey.OfPool _, CalicoKey.OfReservation _, CalicoKey.OfClusterInformation _ ->
                        throw new IllegalStateException("%s is known in lists only".formatted(key));
                };
        return new CalicoSnapshot(newView, entries.without(key));
    }

    /// There is a block of which it is unknown what is free in it.
    CalicoSnapshot knowingUnreadable(Prefix cidr) {
        var damaged = Block.stored(cidr).allocations().build();
        return new CalicoSnapshot(view.knowing(damaged), entries);
    }

    /// There are these pools and no others.
    CalicoSnapshot knowingPools(Collection<StoredDocument> read) {
        var pools = new ArrayList<IpPool>();
        for (var entry : read) {
            if (entry.content() instanceof IpPoolDocument document) {
                pools.add(document.pool());
            }
        }
        return new CalicoSnapshot(view.knowingPools(pools), entries);
    }

    /// There are these reservations and no others.
    CalicoSnapshot knowingReservations(Collection<StoredDocument> read) {
        var reserved = new ArrayList<Prefix>();
        for (var entry : read) {
            if (entry.content() instanceof ReservationDocument document) {
                reserved.addAll(document.reserved());
            }
        }
        return new CalicoSnapshot(view.knowing(Reservations.of(reserved)), entries);
    }

    /// The owner has these affinities of the family and no others.
    CalicoSnapshot knowingAffinities(Owner owner, Family family, Collection<StoredDocument> read) {
        var affinities = affinities(read).stream()
                .filter(affinity -> affinity.owner().equals(owner))
                .filter(affinity -> affinity.cidr().family() == family)
                .toList();
        return new CalicoSnapshot(
                view.knowingAffinities(owner, family, affinities),
                entries.without(key -> key instanceof CalicoKey.OfAffinity(var somebody, var cidr)
                                && somebody.equals(owner)
                                && cidr.family() == family)
                        .with(read));
    }

    private CalicoSnapshot knowingAffinities(Owner owner, Family family, CalicoReader reader) {
        var read = reader.list(CalicoKeys.affinities(owner, family));
        return knowingAffinities(owner, family, read).lookingAgain(read, reader);
    }

    private CalicoSnapshot knowingAllAffinities(Collection<StoredDocument> read) {
        return new CalicoSnapshot(
                view.knowingAllAffinities(affinities(read)),
                entries.without(CalicoKey.OfAffinity.class::isInstance).with(read));
    }

    private static List<Affinity> affinities(Collection<StoredDocument> read) {
        var affinities = new ArrayList<Affinity>();
        for (var entry : read) {
            if (entry.content() instanceof AffinityDocument document) {
                affinities.add(document.affinity());
            }
        }
        return affinities;
    }

    private CalicoSnapshot knowingBlocks(Family family, Collection<StoredDocument> read) {
        var blocks = new ArrayList<Block>();
        for (var entry : read) {
            if (entry.content() instanceof BlockDocument document) {
                blocks.add(document.block());
            }
        }
        return new CalicoSnapshot(
                view.knowingBlocks(family, blocks),
                entries.without(key -> key instanceof CalicoKey.OfBlock(var cidr) && cidr.family() == family)
                        .with(read));
    }

    private CalicoSnapshot knowingAllHandles(Collection<StoredDocument> read) {
        var handles = new ArrayList<Handle>();
        for (var entry : read) {
            if (entry.content() instanceof HandleDocument document) {
                handles.add(document.handle());
            }
        }
        return new CalicoSnapshot(
                view.knowingAllHandles(handles),
                entries.without(CalicoKey.OfHandle.class::isInstance).with(read));
    }

    /// These blocks were full when they were last read, which is long ago.
    CalicoSnapshot havingSeenFull(Collection<Prefix> cidrs) {
        return new CalicoSnapshot(view.havingSeenFull(cidrs), entries);
    }

    /// The same, with nothing learned since.
    CalicoSnapshot settled() {
        return new CalicoSnapshot(view, entries.settled());
    }
}
