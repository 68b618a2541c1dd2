package io.cadastre.wire.calico.resource;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.wire.book.DocumentChange;
import io.cadastre.wire.book.RangeAnnouncement;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.IpPoolDocument;
import io.cadastre.wire.calico.UnparsableEntryException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// Resources in any store, in the form in which Calico has them in etcd. Every page reads for
/// itself, and only what is asked for.
///
/// Two pools that overlap are two keys, so that compare-and-set alone does not keep two writers from
/// creating them at the same moment. In a store with transactions a [RangeAnnouncement] does; in others,
/// and with writers that use Calico's own tools, both may succeed. Their blocks still cannot overlap: of
/// two hosts that claim one block, one fails.
public final class ResourceBook implements Book<ResourceView, DocumentChange> {

    private final Datastore store;
    private final Function<Datastore, List<Holding>> neighbours;

    /// A book in a store that no other dialect shares.
    public ResourceBook(Datastore store) {
        this(store, _ -> List.of());
    }

    /// @param neighbours reads the ranges that other dialects in the store give addresses of
    public ResourceBook(Datastore store, Function<Datastore, List<Holding>> neighbours) {
        this.store = store;
        this.neighbours = neighbours;
    }

    List<Holding> fetchNeighbours() {
        return neighbours.apply(store);
    }

    @Override
    public Page<ResourceView, DocumentChange> open() {
        return ResourcePage.of(this);
    }

    Datastore store() {
        return store;
    }

    Optional<StoredResource> fetch(CalicoKind kind, String name) {
        return store.get(kind.key(name))
                .map(document -> new StoredResource(document, kind.decode(document.key(), document.value())));
    }

    /// The pools at one moment.
    ///
    /// @param readable those that can be read, in the order of their names
    /// @param revisions of all, by key
    record Pools(List<IpPoolDocument> readable, SortedMap<String, Long> revisions) {}

    Pools fetchPools() {
        var documents = store.listAll(CalicoKeys.POOLS).documents();
        var revisions = new TreeMap<String, Long>();
        documents.forEach(document -> revisions.put(document.key(), document.revision()));
        return new Pools(
                documents.stream()
                        .flatMap(ResourceBook::readable)
                        .flatMap(document -> document instanceof IpPoolDocument pool ? Stream.of(pool) : Stream.empty())
                        .toList(),
                revisions);
    }

    List<Prefix> fetchBlocks() {
        return store.listAll(CalicoKeys.BLOCKS).documents().stream()
                .flatMap(document -> CalicoKeys.parse(document.key()).stream())
                .flatMap(key -> key instanceof CalicoKey.OfBlock(var cidr) ? Stream.of(cidr) : Stream.empty())
                .toList();
    }

    /// One damaged document must not stop every request.
    private static Stream<CalicoDocument> readable(Document document) {
        try {
            return CalicoKeys.parse(document.key()).stream().map(key -> CalicoDocument.decode(key, document.value()));
        } catch (UnparsableEntryException _) {
            return Stream.empty();
        }
    }
}
