package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The contract of all stores, kept by a real etcd.
class EtcdDatastoreTest extends DatastoreContract {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    /// The first call of a JVM loads many classes; the tests of short limits are not about that.
    @BeforeAll
    static void warmUp() {
        try (var store = ETCD.openEmpty()) {
            store.get("a");
        }
    }

    @BeforeEach
    void wipe() throws IOException {
        ETCD.member().wipe();
    }

    @Override
    public Datastore open(Duration callLimit) {
        return EtcdDatastore.open(ETCD.member().settings().withCallLimit(callLimit));
    }

    @Override
    public void compact(long revision) throws IOException {
        ETCD.member().etcdctl("compact", Long.toString(revision));
    }

    @Override
    public AutoCloseable stall() throws IOException {
        ETCD.member().freeze();
        return ETCD.member()::proceed;
    }
}
