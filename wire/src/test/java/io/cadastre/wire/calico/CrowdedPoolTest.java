package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class CrowdedPoolTest extends CrowdedPoolContract {

    @Override
    Datastore open() {
        return new MemoryDatastore();
    }
}
