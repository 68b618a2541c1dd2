package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class GoldenScenesTest extends GoldenScenesContract {

    @Override
    protected Datastore open() {
        return new MemoryDatastore();
    }
}
