package io.cadastre.controller.collection;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

final class CollectionOnMemoryTest extends CollectionContract {

    @Override
    Datastore emptyStore() {
        return new MemoryDatastore();
    }
}
