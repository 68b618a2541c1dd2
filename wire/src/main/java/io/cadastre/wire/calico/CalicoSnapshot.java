package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Missing;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockItem;
import io.cadastre.engine.block.BlockListing;
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

    /// This and the missing item or listing: one reading of the store.
    ///
    /// @throws UnparsableEntryException if an item is missing and cannot be read
    CalicoSnapshot reading(Missing missing, CalicoReader reader) {
        return switch (missing) {
            case BlockItem<?> item -> reading(CalicoItems.key(item), reader);
            case BlockListing listing -> reading(listing, reader);
            default -> throw new IllegalStateException("no book of blocks can tell about " + missing.sentence());
        };
    }

    /// This and all documents of the listing: one reading of the store.
    private CalicoSnapshot reading(BlockListing listing, CalicoReader reader) {
        var read =
                switch (listing) {
                    case BlockListing.OfPools _ -> reader.list(CalicoKeys.POOLS);
                    case BlockListing.OfReservations _ -> reader.list(CalicoKeys.RESERVATIONS);
                    case BlockListing.OfAffinities(var owner, var family) ->
                        reader.list(CalicoKeys.affinities(owner, family));
                    case BlockListing.OfAllAffinities _ -> {
                        // Virtual owners have a place of their own.
                        var all = new ArrayList<>(reader.list(CalicoKeys.HOSTS));
                        all.addAll(reader.list(CalicoKeys.VIRTUALS));
                        yield all;
                    }
                    case BlockListing.OfBlocks(var family) -> reader.list(CalicoKeys.blocks(family));
                    case BlockListing.OfHandles _ -> reader.list(CalicoKeys.HANDLES);
                };
        return withAll(listing, read).lookingAgain(read, reader);
    }

    /// This and what the key holds now.
    ///
    /// @throws UnparsableEntryException if it cannot be read
    private CalicoSnapshot reading(CalicoKey key, CalicoReader reader) {
        var found = reader.get(key);
        return with(key, found).lookingAgain(found.stream().toList(), reader);
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
        return with(found.entries(), reader);
    }

    /// This and what the keys hold now, all of it read at once. A block that cannot be read still has an
    /// owner. Any other document that cannot be read stays unknown: a request that needs it reads it and
    /// reports why.
    CalicoSnapshot readingAgain(Collection<CalicoKey> keys, CalicoReader reader) {
        var found = reader.getAll(keys);
        var better = this;
        for (var key : found.unreadable()) {
            if (key instanceof CalicoKey.OfBlock(var cidr)) {
                better = better.withUnreadable(cidr);
            }
        }
        return better.with(found.entries(), reader);
    }

    private CalicoSnapshot with(Map<CalicoKey, Optional<StoredDocument>> found, CalicoReader reader) {
        var better = this;
        for (var read : found.entrySet()) {
            better = better.with(read.getKey(), read.getValue());
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
    CalicoSnapshot with(CalicoKey key, Optional<StoredDocument> found) {
        return found.isPresent()
                ? with(List.of(found.get()))
                : new CalicoSnapshot(CalicoItems.without(view, key), entries.without(key));
    }

    /// This and what these keys hold.
    CalicoSnapshot with(Collection<StoredDocument> found) {
        var newView = view;
        for (var entry : found) {
            newView = CalicoItems.with(newView, entry.content());
        }
        return new CalicoSnapshot(newView, entries.with(found));
    }

    /// There are these documents of the listing and no others.
    CalicoSnapshot withAll(BlockListing listing, Collection<StoredDocument> read) {
        var found = read.stream()
                .filter(entry -> CalicoItems.lists(listing, entry.key()))
                .toList();
        return new CalicoSnapshot(view.withNone(listing), entries.without(key -> CalicoItems.lists(listing, key)))
                .with(found);
    }

    /// There is a block of which it is unknown what is free in it.
    private CalicoSnapshot withUnreadable(Prefix cidr) {
        var damaged = Block.stored(cidr).allocations().build();
        return new CalicoSnapshot(view.with(BlockItem.of(damaged), damaged), entries);
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
