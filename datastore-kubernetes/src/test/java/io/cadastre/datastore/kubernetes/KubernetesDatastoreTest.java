package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The contract of all stores, kept by a real kube-apiserver.
///
/// It runs without its cache of recent changes, which would remember what etcd has compacted: when that
/// cache forgets cannot receive it.
class KubernetesDatastoreTest extends DatastoreContract {

    @RegisterExtension
    static final SharedApiServer API = new SharedApiServer("--watch-cache=false");

    /// The first call of a JVM loads many classes; the tests of short limits are not about that.
    @BeforeAll
    static void warmUp() {
        try (var store = API.open(AMPLE)) {
            store.get("a");
        }
    }

    @Override
    public boolean transactional() {
        return false;
    }

    @Override
    public Datastore open(Duration callLimit) {
        return API.open(callLimit);
    }

    @Override
    public void compact(long revision) throws IOException {
        API.server().compact(revision);
    }

    @Override
    public AutoCloseable stall() throws IOException {
        API.server().freeze();
        return API.server()::proceed;
    }
}
