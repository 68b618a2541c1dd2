package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.IpPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Scenarios that hold in every store, whether or not it commits several documents at once.
public abstract class ScenarioContract {

    private ScenarioStore ground = ScenarioStore.of(new MemoryDatastore());

    /// Its store is closed when the scenario is over.
    protected abstract ScenarioStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store().close();
        ground = open();
    }

    @AfterEach
    void closeStore() {
        store().close();
    }

    protected final Datastore store() {
        return ground.store();
    }

    /// The pools, and the nodes node-a, node-b, host-a and host-b.
    protected final ScenarioCluster cluster(IpPool... pools) {
        return ScenarioCluster.of(ground.store(), ground.scenery(), pools);
    }
}
