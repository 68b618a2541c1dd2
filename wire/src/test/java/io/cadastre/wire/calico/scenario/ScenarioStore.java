package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;

/// Where a scenario takes place: a store in which there is nothing yet.
///
/// @param scenery how nodes and pools come into that store
public record ScenarioStore(Datastore store, ClusterFixture scenery) {

    /// A store in which everything is a document.
    public static ScenarioStore of(Datastore store) {
        return new ScenarioStore(store, new DocumentFixture());
    }
}
