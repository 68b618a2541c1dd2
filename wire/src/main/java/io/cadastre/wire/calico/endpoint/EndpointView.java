package io.cadastre.wire.calico.endpoint;

import java.util.List;
import java.util.Optional;

/// All that decisions about one workload's endpoints may look at.
///
/// @param documents its endpoints, by whatever interface
/// @param profiled whether there is a profile of its network's name
public record EndpointView(List<WorkloadEndpointDocument> documents, boolean profiled) {

    public EndpointView {
        documents = List.copyOf(documents);
    }

    /// The endpoint of this very name.
    Optional<WorkloadEndpointDocument> find(EndpointName name) {
        return documents.stream()
                .filter(document -> document.endpoint().name().equals(name))
                .findFirst();
    }
}
