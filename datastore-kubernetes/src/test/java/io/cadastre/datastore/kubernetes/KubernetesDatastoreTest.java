package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;

/// The contract of all stores, kept by a real kube-apiserver.
///
/// It runs without its cache of recent changes, which would remember what etcd has compacted: when that
/// cache forgets cannot be told it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesDatastoreTest extends DatastoreContract {

    private KubeApiServer server;
    private DocumentsMap map;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(directory, "--watch-cache=false");
        // The first call of a JVM loads many classes; the tests of short limits are not about that.
        map = DocumentsMap.in(server.freshNamespace());
        try (var store = open(AMPLE)) {
            store.get("a");
        }
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void begin() {
        map = DocumentsMap.in(server.freshNamespace());
    }

    @Override
    protected boolean transactional() {
        return false;
    }

    @Override
    protected Datastore open(Duration callLimit) {
        return server.open(map, callLimit);
    }

    @Override
    protected void compact(long revision) throws IOException {
        server.compact(revision);
    }

    @Override
    protected AutoCloseable stall() throws IOException {
        server.freeze();
        return server::proceed;
    }
}
