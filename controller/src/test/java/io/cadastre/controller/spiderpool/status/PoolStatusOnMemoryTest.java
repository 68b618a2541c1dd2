package io.cadastre.controller.spiderpool.status;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

final class PoolStatusOnMemoryTest extends PoolStatusContract {

    @Override
    Datastore emptyStore() {
        return new MemoryDatastore();
    }
}
