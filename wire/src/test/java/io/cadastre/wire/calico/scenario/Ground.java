package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;

/// Where a scenario takes place: a store in which there is nothing yet.
///
/// @param scenery how nodes and pools come into that store
public record Ground(Datastore store, Scenery scenery) {

    /// A store in which everything is a document.
    public static Ground of(Datastore store) {
        return new Ground(store, new DocumentScenery());
    }
}
