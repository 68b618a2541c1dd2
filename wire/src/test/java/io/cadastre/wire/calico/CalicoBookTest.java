package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

class CalicoBookTest extends CalicoBookContract {

    @Override
    protected Datastore open() {
        return new MemoryDatastore();
    }
}
