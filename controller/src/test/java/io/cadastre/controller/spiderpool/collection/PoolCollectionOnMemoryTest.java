package io.cadastre.controller.spiderpool.collection;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

final class PoolCollectionOnMemoryTest extends PoolCollectionContract {

    @Override
    Datastore emptyStore() {
        return new MemoryDatastore();
    }
}
