package io.cadastre.wire.calico.endpoint;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One write of an endpoint or a profile. It gives no address: an endpoint repeats what was given
/// elsewhere.
public sealed interface EndpointChange extends Change {

    String key();

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    record Put(String key, Bytes value, String sentence) implements EndpointChange {}

    record Drop(String key, String sentence) implements EndpointChange {}
}
