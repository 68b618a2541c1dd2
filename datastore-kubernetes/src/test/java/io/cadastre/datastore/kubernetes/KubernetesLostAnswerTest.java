package io.cadastre.datastore.kubernetes;

import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.LostAnswerContract;
import io.cadastre.datastore.TcpProxy;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The answers are lost by a proxy that swallows them, or the request, and then cuts the connection. A
/// commit here has one write: of several, only the one that is under way can be lost.
class KubernetesLostAnswerTest extends LostAnswerContract {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedApiServer API = new SharedApiServer();

    @Override
    protected Datastore open(Duration callLimit) {
        return API.open(callLimit);
    }

    @Override
    protected Lost lose(Effect effect) throws Exception {
        var writes = List.<Write>of(new Write.Create("lost", Bytes.ofUtf8("1")));
        try (var proxy = new TcpProxy(API.server().port());
                var behindProxy = KubernetesDatastore.open(
                        API.server().settingsThrough(proxy.port()).withCallLimit(AMPLE), API.map(), new Random(1));
                var direct = API.open(AMPLE);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            behindProxy.get("lost");
            proxy.plan(
                    switch (effect) {
                        case APPLIED -> TcpProxy.Plan.SWALLOW_ANSWERS;
                        case NOT_APPLIED -> TcpProxy.Plan.SWALLOW_REQUESTS;
                    });
            var commit = threads.submit(() -> behindProxy.commit(writes));
            await().atMost(AMPLE).until(() -> switch (effect) {
                case APPLIED -> direct.get("lost").isPresent();
                case NOT_APPLIED -> proxy.hasSwallowed();
            });
            proxy.plan(TcpProxy.Plan.PASS);
            proxy.cut();
            return new Lost(writes, commit.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
