package io.cadastre.wire.calico.resource;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import io.cadastre.registry.Commits;
import io.cadastre.registry.Page;
import io.cadastre.registry.PageFullException;
import io.cadastre.registry.PartialCommit;
import io.cadastre.registry.Recording;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.book.WriteSet;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.IpPoolDocument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// One reading of the book of resources.
///
/// @param read what single keys hold
/// @param lists the lists that were read, empty until they are
/// @param noted the changes in their order, since a pool that is split goes last
record ResourcePage(ResourceBook book, Map<String, Optional<StoredResource>> read, Lists lists, WriteSet noted)
        implements Page<ResourceView, DocumentChange>, ResourceView {

    /// @param pools what was listed, or nothing if nothing was
    private record Lists(List<ResourceBook.Pools> pools, List<List<Prefix>> blocks, List<List<Holding>> neighbours) {

        static final Lists NONE = new Lists(List.of(), List.of(), List.of());
    }

    static ResourcePage of(ResourceBook book) {
        return new ResourcePage(book, Map.of(), Lists.NONE, WriteSet.over(List.of(), WriteSet.Order.AS_NOTED));
    }

    @Override
    public ResourceView view() {
        return this;
    }

    @Override
    public Optional<StoredResource> find(CalicoKind kind, String name) {
        var found = read.get(kind.key(name));
        if (found == null) {
            throw new NotReadException(new MissingResource.OfResource(kind, name));
        }
        return found;
    }

    @Override
    public List<IpPoolDocument> pools() {
        if (lists.pools().isEmpty()) {
            throw new NotReadException(new MissingResource.OfPools());
        }
        return lists.pools().getFirst().readable();
    }

    @Override
    public List<Prefix> blocks() {
        if (lists.blocks().isEmpty()) {
            throw new NotReadException(new MissingResource.OfBlocks());
        }
        return lists.blocks().getFirst();
    }

    @Override
    public List<Holding> neighbours() {
        if (lists.neighbours().isEmpty()) {
            throw new NotReadException(new MissingResource.OfNeighbours());
        }
        return lists.neighbours().getFirst();
    }

    /// A page takes the changes of one decision, since its lists do not know of them.
    @Override
    public ResourcePage with(List<DocumentChange> changes) {
        if (changes.size() + RangeAnnouncement.WRITES > Datastore.WRITES_MAX) {
            int fitting = Datastore.WRITES_MAX - RangeAnnouncement.WRITES;
            throw new PageFullException(changes.size(), fitting, fitting);
        }
        return new ResourcePage(book, read, lists, noted.with(changes));
    }

    @Override
    public ResourcePage reading(Missing missing) {
        return switch (missing) {
            case MissingResource.OfResource(var kind, var name) -> {
                var found = book.fetch(kind, name);
                var more = new TreeMap<>(read);
                more.put(kind.key(name), found);
                var documents = found.map(StoredResource::stored).stream().toList();
                yield new ResourcePage(book, more, lists, noted.reading(documents));
            }
            case MissingResource.OfPools _ ->
                with(new Lists(List.of(book.fetchPools()), lists.blocks(), lists.neighbours()));
            case MissingResource.OfBlocks _ ->
                with(new Lists(lists.pools(), List.of(book.fetchBlocks()), lists.neighbours()));
            case MissingResource.OfNeighbours _ ->
                with(new Lists(lists.pools(), lists.blocks(), List.of(book.fetchNeighbours())));
            default -> throw new IllegalStateException("the book of resources cannot read: " + missing.sentence());
        };
    }

    private ResourcePage with(Lists more) {
        return new ResourcePage(book, read, more, noted);
    }

    @Override
    public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
        return announces()
                ? new RangeAnnouncement(book.store()).save(noted.writes(), this::rangesAreCurrent, recording)
                : Commits.save(book.store(), noted.writes(), _ -> {}, recording);
    }

    /// Whether it creates a pool that goes with the others.
    private boolean announces() {
        return book.store().atomic()
                && !lists.pools().isEmpty()
                && noted.writes().stream()
                        .anyMatch(write ->
                                write instanceof Write.Create && write.key().startsWith(CalicoKeys.POOLS));
    }

    private boolean rangesAreCurrent() {
        return book.fetchPools().revisions().equals(lists.pools().getFirst().revisions())
                && (lists.neighbours().isEmpty()
                        || book.fetchNeighbours().equals(lists.neighbours().getFirst()));
    }

    /// The identity in each new document distinguishes our write from others.
    @Override
    public Optional<Commit.Done> findApplied() {
        return book.store().findApplied(noted.writes());
    }
}
