package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import java.util.List;

/// The store for an actor that meets no faults. Watchers see what it writes.
public record DirectStore(Network network, String actor) implements ForwardingDatastore {

    @Override
    public Datastore store() {
        return network.store();
    }

    @Override
    public Commit commit(List<Write> writes) {
        return network.apply(actor, writes);
    }

    @Override
    public boolean atomic() {
        return true;
    }

    @Override
    public void close() {}
}
