package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class SpiderBookTest extends SpiderBookContract {

    @Override
    protected Datastore open() {
        return new MemoryDatastore();
    }
}
