package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class SharedHandleTest extends SharedHandleContract {

    @Override
    Datastore open() {
        return new MemoryDatastore();
    }
}
