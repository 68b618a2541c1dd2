package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.Pool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Scenarios that hold in every store, whether or not it commits several documents at once.
public abstract class ScenarioContract {

    private Datastore store = new MemoryDatastore();

    /// A store in which there is nothing. It is closed when the scenario is over.
    protected abstract Datastore open() throws Exception;

    /// How nodes and pools come into that store.
    protected Scenery scenery() {
        return new DocumentScenery();
    }

    @BeforeEach
    void openStore() throws Exception {
        store.close();
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    protected final Datastore store() {
        return store;
    }

    /// The pools, and the nodes node-a, node-b, host-a and host-b.
    protected final World world(Pool... pools) {
        return World.of(store, scenery(), pools);
    }
}
