package io.cadastre.wire.cilium;

import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.Optional;

/// The objects of one kind of Cilium's in a store.
///
/// @param neighbours the ranges that other dialects in the store give addresses of
public record CiliumStock(List<Document> documents, List<Holding> neighbours) {

    public CiliumStock {
        documents = List.copyOf(documents);
        neighbours = List.copyOf(neighbours);
    }

    Optional<Document> find(String key) {
        return documents.stream().filter(document -> document.key().equals(key)).findFirst();
    }

    /// All but the object under a key.
    List<Document> but(String key) {
        return documents.stream()
                .filter(document -> !document.key().equals(key))
                .toList();
    }
}
