package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.engine.pool.AddressPool;
import java.util.List;
import java.util.Optional;

/// The objects that users write.
///
/// @param neighbours the ranges that other dialects in the store give addresses of
public record ObjectView(List<Document> documents, List<Holding> neighbours, Host host) {

    /// What keeps the objects.
    public enum Host {
        /// An API server: it keeps an object with a finalizer until that is taken off, and takes the status by a write
        /// of its own.
        API_SERVER,

        /// A store of documents, which does with each what its writer says.
        DOCUMENTS
    }

    public ObjectView {
        documents = List.copyOf(documents);
        neighbours = List.copyOf(neighbours);
    }

    Optional<Document> find(String key) {
        return documents.stream().filter(document -> document.key().equals(key)).findFirst();
    }

    /// Whether there is an object of this kind and name.
    public boolean stores(SpiderKind kind, String name) {
        return find(kind.key(name)).isPresent();
    }

    /// All subnets.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    List<SpiderSubnetDocument> subnets() {
        return documents.stream()
                .filter(document -> document.key().startsWith(SpiderKeys.SUBNETS))
                .map(document -> SpiderSubnetDocument.decode(
                        document.key().substring(SpiderKeys.SUBNETS.length()), document.value()))
                .toList();
    }

    /// All pools but one.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read, since it is
    ///     then unknown what it overlaps
    List<AddressPool> poolsBut(String name) {
        return documents.stream()
                .filter(document -> document.key().startsWith(SpiderKeys.POOLS))
                .filter(document -> !document.key().equals(SpiderKeys.pool(name)))
                .map(document -> SpiderPoolDocument.decode(
                                document.key().substring(SpiderKeys.POOLS.length()), document.value())
                        .pool())
                .toList();
    }
}
