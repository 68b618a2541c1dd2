package io.cadastre.wire.calico;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockLack;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.KnownBlocks;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Pool;
import io.cadastre.engine.block.Reservations;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What has been read of a store: the view of it, and by key the documents that may have to be written
/// again. A value.
record Knowledge(KnownBlocks view, Entries entries) {

    static final Knowledge NONE = new Knowledge(KnownBlocks.unread(), Entries.NONE);

    Optional<Entry> find(CalicoKey key) {
        return entries.find(key);
    }

    /// This and what is lacking: one reading of the store.
    ///
    /// @throws UnparsableEntryException if a single document is lacking and cannot be read
    Knowledge reading(BlockLack lack, Reader reader) {
        return switch (lack) {
            case BlockLack.OfConfig _ -> reading(new CalicoKey.OfConfig(), reader);
            case BlockLack.OfPools _ -> knowingPools(reader.list(CalicoKeys.POOLS));
            case BlockLack.OfReservations _ ->
                    knowingReservations(reader.list(CalicoKeys.RESERVATIONS));
            case BlockLack.OfNode(var name) -> reading(new CalicoKey.OfNode(name), reader);
            case BlockLack.OfAffinities(var owner, var family) ->
                    knowingAffinities(owner, family, reader);
            case BlockLack.OfAffinity(var owner, var cidr) ->
                    reading(new CalicoKey.OfAffinity(owner, cidr), reader);
            case BlockLack.OfAllAffinities _ -> {
                // Virtual owners have a place of their own.
                var all = new ArrayList<>(reader.list(CalicoKeys.HOSTS));
                all.addAll(reader.list(CalicoKeys.VIRTUALS));
                yield knowingAllAffinities(all).lookingAgain(all, reader);
            }
            case BlockLack.OfBlock(var cidr) -> reading(new CalicoKey.OfBlock(cidr), reader);
            case BlockLack.OfAllBlocks(var family) ->
                    knowingBlocks(family, reader.list(CalicoKeys.blocks(family)));
            case BlockLack.OfHandle(var id) -> reading(new CalicoKey.OfHandle(id), reader);
            case BlockLack.OfAllHandles _ -> {
                var read = reader.list(CalicoKeys.HANDLES);
                yield knowingAllHandles(read).lookingAgain(read, reader);
            }
            case BlockLack.OfHostRecord(var host) ->
                    reading(new CalicoKey.OfHostRecord(host), reader);
        };
    }

    /// This and what the key holds now.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    Knowledge reading(CalicoKey key, Reader reader) {
        var found = reader.get(key);
        return knowing(key, found).lookingAgain(found.stream().toList(), reader);
    }

    /// This and what the keys hold now, all of it read at once.
    ///
    /// @param needed of the others that cannot be read nothing is learned
    /// @throws UnparsableEntryException if one of those that are needed cannot be read
    Knowledge readingAll(Collection<CalicoKey> needed, Collection<CalicoKey> keys, Reader reader) {
        var found = reader.getAll(keys);
        for (var key : found.unreadable()) {
            if (needed.contains(key)) {
                reader.get(key);
            }
        }
        return knowing(found.entries(), reader);
    }

    /// This and what the keys hold now, all of it read at once. A block that cannot be read is still
    /// somebody's. Of anything else that cannot be read nothing is learned: whoever needs it is told why
    /// when he reads it.
    Knowledge readingAgain(Collection<CalicoKey> keys, Reader reader) {
        var found = reader.getAll(keys);
        var better = this;
        for (var key : found.unreadable()) {
            if (key instanceof CalicoKey.OfBlock(var cidr)) {
                better = better.knowingUnreadable(cidr);
            }
        }
        return better.knowing(found.entries(), reader);
    }

    private Knowledge knowing(Map<CalicoKey, Optional<Entry>> found, Reader reader) {
        var better = this;
        for (var read : found.entrySet()) {
            better = better.knowing(read.getKey(), read.getValue());
        }
        return better.lookingAgain(
                found.values().stream().flatMap(Optional::stream).toList(), reader);
    }

    /// Documents are not all read at the same instant. A handle that counts addresses in a block which was
    /// not there, or an affinity for one that was another's, is younger than the look at the block; so
    /// the block is looked for again. Otherwise the handle would seem to count too many and the affinity
    /// to be stale, and whoever mends that writes nothing by which he would notice.
    private Knowledge lookingAgain(Collection<Entry> read, Reader reader) {
        var blocks =
                read.stream()
                        .flatMap(entry -> contradicted(entry).stream())
                        .distinct()
                        .<CalicoKey>map(CalicoKey.OfBlock::new)
                        .toList();
        return blocks.isEmpty() ? this : readingAgain(blocks, reader);
    }

    /// The blocks that are not known to be as the document says.
    private List<Prefix> contradicted(Entry entry) {
        return switch (entry.content()) {
            case HandleDocument document ->
                    document.handle().counts().keySet().stream()
                            .filter(view::knowsBlock)
                            .filter(cidr -> view.findBlock(cidr).isEmpty())
                            .toList();
            case AffinityDocument document when document.affinity().confirmed() ->
                    Stream.of(document.affinity().cidr())
                            .filter(view::knowsBlock)
                            .filter(
                                    cidr ->
                                            view.findBlock(cidr)
                                                    .filter(
                                                            block ->
                                                                    block.ownedBy(
                                                                            document.affinity()
                                                                                    .owner()))
                                                    .isEmpty())
                            .toList();
            default -> List.of();
        };
    }

    /// This and what the key holds, or that it holds nothing.
    Knowledge knowing(CalicoKey key, Optional<Entry> found) {
        return found.isPresent() ? knowing(found.get()) : knowingNothingAt(key);
    }

    Knowledge knowing(Entry entry) {
        return knowing(List.of(entry));
    }

    /// This and what these keys hold.
    Knowledge knowing(Collection<Entry> found) {
        var newView = view;
        for (var entry : found) {
            newView = with(newView, entry);
        }
        return new Knowledge(newView, entries.with(found));
    }

    private static KnownBlocks with(KnownBlocks view, Entry entry) {
        return switch (entry.content()) {
            case BlockDocument document -> view.knowing(document.block());
            case AffinityDocument document -> view.knowing(document.affinity());
            case HandleDocument document -> view.knowing(document.handle());
            case ConfigDocument document -> view.knowing(document.config());
            case HostRecordDocument document -> view.knowingHostRecord(document.host());
            case NodeDocument document -> view.knowing(document.node());
            case PoolDocument _, ReservationDocument _, ClusterInformationDocument _ ->
                    throw new IllegalStateException(
                            "%s is known in lists only".formatted(entry.key()));
        };
    }

    Knowledge knowingNothingAt(CalicoKey key) {
        var newView =
                switch (key) {
                    case CalicoKey.OfBlock(var cidr) -> view.knowingNoBlock(cidr);
                    case CalicoKey.OfAffinity(var owner, var cidr) ->
                            view.knowingNoAffinity(owner, cidr);
                    case CalicoKey.OfHandle(var id) -> view.knowingNoHandle(id);
                    case CalicoKey.OfConfig _ -> view.knowingNoConfig();
                    case CalicoKey.OfHostRecord(var host) -> view.knowingNoHostRecord(host);
                    case CalicoKey.OfNode(var name) -> view.knowingNoNode(name);
                    case CalicoKey.OfPool _,
                            CalicoKey.OfReservation _,
                            CalicoKey.OfClusterInformation _ ->
                            throw new IllegalStateException(
                                    "%s is known in lists only".formatted(key));
                };
        return new Knowledge(newView, entries.without(key));
    }

    /// There is a block of which nobody can tell what is free in it.
    Knowledge knowingUnreadable(Prefix cidr) {
        var damaged = Block.stored(cidr).allocations().build();
        return new Knowledge(view.knowing(damaged), entries);
    }

    /// There are these pools and no others.
    Knowledge knowingPools(Collection<Entry> read) {
        var pools = new ArrayList<Pool>();
        for (var entry : read) {
            if (entry.content() instanceof PoolDocument document) {
                pools.add(document.pool());
            }
        }
        return new Knowledge(view.knowingPools(pools), entries);
    }

    /// There are these reservations and no others.
    Knowledge knowingReservations(Collection<Entry> read) {
        var reserved = new ArrayList<Prefix>();
        for (var entry : read) {
            if (entry.content() instanceof ReservationDocument document) {
                reserved.addAll(document.reserved());
            }
        }
        return new Knowledge(view.knowing(Reservations.of(reserved)), entries);
    }

    /// The owner has these affinities of the family and no others.
    Knowledge knowingAffinities(Owner owner, Family family, Collection<Entry> read) {
        var affinities =
                affinities(read).stream()
                        .filter(affinity -> affinity.owner().equals(owner))
                        .filter(affinity -> affinity.cidr().family() == family)
                        .toList();
        return new Knowledge(
                view.knowingAffinities(owner, family, affinities),
                entries.without(
                                key ->
                                        key instanceof CalicoKey.OfAffinity(var somebody, var cidr)
                                                && somebody.equals(owner)
                                                && cidr.family() == family)
                        .with(read));
    }

    private Knowledge knowingAffinities(Owner owner, Family family, Reader reader) {
        var read = reader.list(CalicoKeys.affinities(owner, family));
        return knowingAffinities(owner, family, read).lookingAgain(read, reader);
    }

    private Knowledge knowingAllAffinities(Collection<Entry> read) {
        return new Knowledge(
                view.knowingAllAffinities(affinities(read)),
                entries.without(CalicoKey.OfAffinity.class::isInstance).with(read));
    }

    private static List<Affinity> affinities(Collection<Entry> read) {
        var affinities = new ArrayList<Affinity>();
        for (var entry : read) {
            if (entry.content() instanceof AffinityDocument document) {
                affinities.add(document.affinity());
            }
        }
        return affinities;
    }

    private Knowledge knowingBlocks(Family family, Collection<Entry> read) {
        var blocks = new ArrayList<Block>();
        for (var entry : read) {
            if (entry.content() instanceof BlockDocument document) {
                blocks.add(document.block());
            }
        }
        return new Knowledge(
                view.knowingBlocks(family, blocks),
                entries.without(
                                key ->
                                        key instanceof CalicoKey.OfBlock(var cidr)
                                                && cidr.family() == family)
                        .with(read));
    }

    private Knowledge knowingAllHandles(Collection<Entry> read) {
        var handles = new ArrayList<Handle>();
        for (var entry : read) {
            if (entry.content() instanceof HandleDocument document) {
                handles.add(document.handle());
            }
        }
        return new Knowledge(
                view.knowingAllHandles(handles),
                entries.without(CalicoKey.OfHandle.class::isInstance).with(read));
    }

    /// These blocks were full when they were last read, which is long ago.
    Knowledge havingSeenFull(Collection<Prefix> cidrs) {
        return new Knowledge(view.havingSeenFull(cidrs), entries);
    }

    /// The same, of which nothing is learned yet.
    Knowledge settled() {
        return new Knowledge(view, entries.settled());
    }
}
