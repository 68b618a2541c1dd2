package io.cadastre.wire.calico.resource;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.registry.Book;
import io.cadastre.registry.Page;
import io.cadastre.wire.calico.CalicoDocument;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.PoolDocument;
import io.cadastre.wire.calico.UnparsableEntryException;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Resources in any store, in the form in which Calico has them in etcd. Every page reads for
/// itself, and only what is asked for.
///
/// Two pools that overlap are two keys, so that compare-and-set does not keep two people from
/// creating them at the same moment; Calico has the same gap. Their blocks still cannot overlap: of
/// two hosts that claim one block, one fails.
public final class ResourceBook implements Book<ResourceView, ResourceChange> {

    private final Datastore store;

    public ResourceBook(Datastore store) {
        this.store = store;
    }

    @Override
    public Page<ResourceView, ResourceChange> open() {
        return ResourcePage.of(this);
    }

    Datastore store() {
        return store;
    }

    Optional<StoredResource> fetch(CalicoKey key) {
        return store.get(key.text())
                .map(
                        document ->
                                new StoredResource(
                                        CalicoDocument.decode(key, document.value()),
                                        document.revision()));
    }

    List<PoolDocument> fetchPools() {
        return store.listAll(CalicoKeys.POOLS).documents().stream()
                .flatMap(ResourceBook::readable)
                .flatMap(
                        document ->
                                document instanceof PoolDocument pool
                                        ? Stream.of(pool)
                                        : Stream.empty())
                .toList();
    }

    List<Prefix> fetchBlocks() {
        return store.listAll(CalicoKeys.BLOCKS).documents().stream()
                .flatMap(document -> CalicoKeys.parse(document.key()).stream())
                .flatMap(
                        key ->
                                key instanceof CalicoKey.OfBlock(var cidr)
                                        ? Stream.of(cidr)
                                        : Stream.empty())
                .toList();
    }

    /// One damaged document must not stop everybody.
    private static Stream<CalicoDocument> readable(Document document) {
        try {
            return CalicoKeys.parse(document.key()).stream()
                    .map(key -> CalicoDocument.decode(key, document.value()));
        } catch (UnparsableEntryException _) {
            return Stream.empty();
        }
    }
}
