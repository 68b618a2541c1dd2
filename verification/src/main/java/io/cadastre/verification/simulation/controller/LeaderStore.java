package io.cadastre.verification.simulation.controller;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import java.util.List;

/// The store behind the fence of a leader.
///
/// @param beforeCommit runs in the instant in which a commit begins
record LeaderStore(Datastore store, Runnable beforeCommit) implements ForwardingDatastore {

    @Override
    public Commit commit(List<Write> writes) {
        beforeCommit.run();
        return store.commit(writes);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        beforeCommit.run();
        return store.commitEach(writes);
    }

    @Override
    public void close() {}
}
