package io.cadastre.wire.kubernetes.clustercidr;

import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import java.util.List;
import java.util.Optional;

/// The ClusterCIDRs of a store.
///
/// @param neighbours the ranges that other dialects in the store give addresses of
public record ClusterCidrStock(List<Document> documents, List<Holding> neighbours, Ending ending) {

    /// Who sees to it that an object with a finalizer does not vanish at once.
    public enum Ending {
        /// The store, as an API server does.
        BY_STORE,

        /// The process that deletes it.
        BY_WRITER
    }

    public ClusterCidrStock {
        documents = List.copyOf(documents);
        neighbours = List.copyOf(neighbours);
    }

    Optional<Document> find(String key) {
        return documents.stream().filter(document -> document.key().equals(key)).findFirst();
    }
}
