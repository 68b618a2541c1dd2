package io.cadastre.datastore.kubernetes;

import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.LostAnswerContract;
import io.cadastre.datastore.TcpProxy;
import io.cadastre.datastore.Write;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The answers are lost by a proxy that swallows them, or the request, and then cuts the connection. A
/// commit here has one write: of several, only the one that is under way can be lost.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesLostAnswerTest extends LostAnswerContract {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private KubeApiServer server;
    private DocumentsMap map;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException, NoSuchAlgorithmException {
        server = KubeApiServer.start(directory);
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
    protected Datastore open(Duration callLimit) {
        return server.open(map, callLimit);
    }

    @Override
    protected Lost lose(Effect effect) throws Exception {
        var writes = List.<Write>of(new Write.Create("lost", Bytes.ofUtf8("1")));
        try (var proxy = new TcpProxy(server.port());
                var behindProxy =
                        KubernetesDatastore.open(
                                server.settingsThrough(proxy.port()).withCallLimit(AMPLE),
                                map,
                                new Random(1));
                var direct = server.open(map, AMPLE);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            behindProxy.get("lost");
            proxy.plan(
                    switch (effect) {
                        case APPLIED -> TcpProxy.Plan.SWALLOW_ANSWERS;
                        case NOT_APPLIED -> TcpProxy.Plan.SWALLOW_REQUESTS;
                    });
            var commit = threads.submit(() -> behindProxy.commit(writes));
            await().atMost(AMPLE)
                    .until(
                            () ->
                                    switch (effect) {
                                        case APPLIED -> direct.get("lost").isPresent();
                                        case NOT_APPLIED -> proxy.hasSwallowed();
                                    });
            proxy.plan(TcpProxy.Plan.PASS);
            proxy.cut();
            return new Lost(writes, commit.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
