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
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.calico.CalicoKey;
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
/// @param noted the changes in their order, each of another key
record ResourcePage(
        ResourceBook book, Map<String, Optional<StoredResource>> read, Lists lists, List<ResourceChange> noted)
        implements Page<ResourceView, ResourceChange>, ResourceView {

    /// @param pools what was listed, or nothing if nothing was
    private record Lists(List<ResourceBook.Pools> pools, List<List<Prefix>> blocks, List<List<Holding>> neighbours) {

        static final Lists NONE = new Lists(List.of(), List.of(), List.of());
    }

    static ResourcePage of(ResourceBook book) {
        return new ResourcePage(book, Map.of(), Lists.NONE, List.of());
    }

    @Override
    public ResourceView view() {
        return this;
    }

    @Override
    public Optional<StoredResource> find(CalicoKey key) {
        var found = read.get(key.text());
        if (found == null) {
            throw new NotReadException(new MissingResource.OfResource(key));
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
    public ResourcePage with(List<ResourceChange> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        if (!noted.isEmpty()) {
            throw new PageFullException("resources are written one decision at a time");
        }
        if (changes.size() + RangeAnnouncement.WRITES > Datastore.WRITES_MAX) {
            int fitting = Datastore.WRITES_MAX - RangeAnnouncement.WRITES;
            throw new PageFullException(changes.size(), fitting, fitting);
        }
        return new ResourcePage(book, read, lists, changes);
    }

    @Override
    public ResourcePage reading(Missing missing) {
        return switch (missing) {
            case MissingResource.OfResource(var key) -> {
                var more = new TreeMap<>(read);
                more.put(key.text(), book.fetch(key));
                yield new ResourcePage(book, more, lists, noted);
            }
            case MissingResource.OfPools _ ->
                with(new Lists(List.of(book.fetchPools()), lists.blocks(), lists.neighbours()));
            case MissingResource.OfBlocks _ ->
                with(new Lists(lists.pools(), List.of(book.fetchBlocks()), lists.neighbours()));
            case MissingResource.OfNeighbours _ ->
                with(new Lists(lists.pools(), lists.blocks(), List.of(book.fetchNeighbours())));
            default -> throw new IllegalStateException("no book of resources can tell about " + missing.sentence());
        };
    }

    private ResourcePage with(Lists more) {
        return new ResourcePage(book, read, more, noted);
    }

    @Override
    public Commit save() {
        return save(_ -> {}, Recording.none());
    }

    @Override
    public Commit save(Consumer<PartialCommit> stopped, Recording recording) {
        return announces()
                ? new RangeAnnouncement(book.store()).save(writes(), this::rangesAreCurrent, recording)
                : Commits.save(book.store(), writes(), _ -> {}, recording);
    }

    /// Whether it creates a pool that goes with the others.
    private boolean announces() {
        return book.store().atomic()
                && !lists.pools().isEmpty()
                && noted.stream()
                        .anyMatch(change -> change instanceof ResourceChange.Create(var key, var _)
                                && key instanceof CalicoKey.OfPool);
    }

    private boolean rangesAreCurrent() {
        return book.fetchPools().revisions().equals(lists.pools().getFirst().revisions())
                && (lists.neighbours().isEmpty()
                        || book.fetchNeighbours().equals(lists.neighbours().getFirst()));
    }

    private static Write write(ResourceChange change) {
        var key = change.key().text();
        return switch (change) {
            case ResourceChange.Create(var _, var document) -> new Write.Create(key, document.encode());
            case ResourceChange.Update(var _, var seen, var document) ->
                new Write.Update(key, document.encode(), seen.revision());
            case ResourceChange.Drop(var _, var seen) -> new Write.Delete(key, seen.revision());
        };
    }

    /// The identity in each new document distinguishes our write from others.
    @Override
    public Optional<Commit.Done> findApplied() {
        return book.store().findApplied(writes());
    }

    private List<Write> writes() {
        return noted.stream().map(ResourcePage::write).toList();
    }
}
