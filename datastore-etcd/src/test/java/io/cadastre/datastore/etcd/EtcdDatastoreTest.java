package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// The contract of all stores, kept by a real etcd.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdDatastoreTest extends DatastoreContract {

    private EtcdProcess etcd;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        etcd = EtcdProcess.start(directory);
        // The first call of a JVM loads many classes; the tests of short limits are not about that.
        try (var store = open(AMPLE)) {
            store.get("a");
        }
    }

    @AfterAll
    void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @BeforeEach
    void wipe() throws IOException {
        etcd.wipe();
    }

    @Override
    public Datastore open(Duration callLimit) {
        return EtcdDatastore.open(etcd.settings().withCallLimit(callLimit));
    }

    @Override
    public void compact(long revision) throws IOException {
        etcd.etcdctl("compact", Long.toString(revision));
    }

    @Override
    public AutoCloseable stall() throws IOException {
        etcd.freeze();
        return etcd::proceed;
    }
}
