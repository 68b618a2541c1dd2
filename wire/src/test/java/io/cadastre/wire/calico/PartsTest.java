package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class PartsTest extends PartsContract {

    @Override
    protected Datastore open() {
        return new MemoryDatastore();
    }
}
