package io.cadastre.agent.net;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// A store that can be made to fail where endpoints are written.
final class FailingEndpointStore implements ForwardingDatastore {

    /// What becomes of commits that write an endpoint.
    enum Trouble {
        NONE,
        /// They do not happen.
        REFUSED,
        /// They happen, and the answer is lost.
        UNANSWERED
    }

    private final Datastore store;
    private volatile Trouble trouble = Trouble.NONE;
    private volatile Runnable before = () -> {};
    private volatile boolean podsDenied;
    private final List<String> reads = Collections.synchronizedList(new ArrayList<>());

    FailingEndpointStore(Datastore store) {
        this.store = store;
    }

    /// Something else that happens just before an endpoint is written.
    void before(Runnable event) {
        before = event;
    }

    /// From now on pods may not be written.
    void denyPods() {
        podsDenied = true;
    }

    /// The keys that were read one by one, in order.
    List<String> reads() {
        return List.copyOf(reads);
    }

    void forgetReads() {
        reads.clear();
    }

    @Override
    public Optional<Document> get(String key) {
        reads.add(key);
        return store.get(key);
    }

    void make(Trouble other) {
        trouble = other;
    }

    @Override
    public Commit commit(List<Write> writes) {
        if (podsDenied && writes.stream().anyMatch(one -> one.key().startsWith(StoredPods.PODS))) {
            throw new DatastoreException(DatastoreException.Kind.DENIED, "pods are not to be written");
        }
        boolean concerned = writes.stream().anyMatch(write -> write.key().contains("/workloadendpoints/"));
        if (concerned) {
            before.run();
        }
        return switch (concerned ? trouble : Trouble.NONE) {
            case NONE -> store.commit(writes);
            case REFUSED -> throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the store is down");
            case UNANSWERED -> {
                store.commit(writes);
                yield new Commit.Unknown("the answer was lost");
            }
        };
    }

    @Override
    public Datastore store() {
        return store;
    }
}
