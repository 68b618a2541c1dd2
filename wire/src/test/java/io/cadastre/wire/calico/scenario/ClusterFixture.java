package io.cadastre.wire.calico.scenario;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.IpPool;
import java.util.SortedMap;

/// How what the allocator reads and never writes comes into a store.
public interface ClusterFixture {

    /// There is a node with these labels and no others.
    void node(Datastore store, String name, SortedMap<String, String> labels);

    /// There is this pool. There was none of its name.
    void pool(Datastore store, IpPool pool);

    /// There is no such pool any more.
    void noPool(Datastore store, Document pool);
}
