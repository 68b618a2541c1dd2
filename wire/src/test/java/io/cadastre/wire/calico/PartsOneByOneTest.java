package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;

/// As the Kubernetes API does it.
class PartsOneByOneTest extends PartsContract {

    @Override
    protected Datastore open() {
        return new OneByOneStore(new MemoryDatastore(), Integer.MAX_VALUE);
    }
}
