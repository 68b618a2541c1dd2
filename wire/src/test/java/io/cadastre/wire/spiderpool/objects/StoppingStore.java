package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.List;

/// A store without transactions, which fails after some writes.
final class StoppingStore implements ForwardingDatastore {

    private final Datastore store;
    private final List<String> writes = new ArrayList<>();
    private int left;

    /// Does this many writes and then fails.
    StoppingStore(Datastore store, int left) {
        this.store = store;
        this.left = left;
    }

    /// What was written: a verb and a key.
    synchronized List<String> takeWrites() {
        var taken = List.copyOf(writes);
        writes.clear();
        return taken;
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public synchronized Commit commit(List<Write> list) {
        if (list.size() != 1) {
            throw new IllegalStateException("written one by one, not " + list.size());
        }
        if (left-- <= 0) {
            throw new DatastoreException(DatastoreException.Kind.FAILED, "broken on purpose");
        }
        var commit = store.commit(list);
        if (commit instanceof Commit.Done) {
            var write = list.getFirst();
            writes.add(write.getClass().getSimpleName()
                    + " "
                    + write.key().substring(write.key().indexOf("v2beta1/") + "v2beta1/".length()));
        }
        return commit;
    }

    @Override
    public Datastore store() {
        return store;
    }
}
