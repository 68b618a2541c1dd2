package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpiderBookOnKubernetesTest extends SpiderBookContract {

    private SpiderServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, NoSuchAlgorithmException {
        server = SpiderServer.start(folder);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Datastore open() {
        return server.openEmpty();
    }

    /// The API server stores nothing of another form, so the records are what cannot be read.
    @Override
    protected void putUnreadablePool(Datastore into, String name) {
        PoolProcess.putPool(into, name, Json.readObject(name, Bytes.ofUtf8("""
            {"metadata":{"name":"%s"},"spec":{"subnet":"10.5.0.0/24","ips":["10.5.0.1"],"ipVersion":4,"default":true},\
            "status":{"allocatedIPs":"nonsense"}}\
            """.formatted(name))));
    }
}
