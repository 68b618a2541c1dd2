package io.cadastre.datastore.etcd;

import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.LostAnswerContract;
import io.cadastre.datastore.TcpProxy;
import io.cadastre.datastore.Write;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The answers are lost by a proxy that swallows them, or the request, and then cuts the connection.
class EtcdLostAnswerTest extends LostAnswerContract {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    @BeforeEach
    void wipe() throws IOException {
        ETCD.member().wipe();
    }

    @Override
    protected Datastore open(Duration callLimit) {
        return EtcdDatastore.open(ETCD.member().settings().withCallLimit(callLimit));
    }

    @Override
    protected Lost lose(Effect effect) throws Exception {
        var writes = List.<Write>of(
                new Write.Create("lost/a", Bytes.ofUtf8("1")), new Write.Create("lost/b", Bytes.ofUtf8("2")));
        try (var proxy = new TcpProxy(ETCD.member().clientPort());
                var behindProxy = openAt(EtcdProcess.endpointAt(proxy.port()));
                var direct = openAt(ETCD.member().endpoint());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            behindProxy.get("lost/a");
            proxy.plan(
                    switch (effect) {
                        case APPLIED -> TcpProxy.Plan.SWALLOW_ANSWERS;
                        case NOT_APPLIED -> TcpProxy.Plan.SWALLOW_REQUESTS;
                    });
            var commit = threads.submit(() -> behindProxy.commit(writes));
            await().atMost(AMPLE).until(() -> switch (effect) {
                case APPLIED -> direct.get("lost/a").isPresent();
                case NOT_APPLIED -> proxy.hasSwallowed("lost/a");
            });
            proxy.plan(TcpProxy.Plan.PASS);
            proxy.cut();
            return new Lost(writes, commit.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private static EtcdDatastore openAt(EtcdEndpoint endpoint) {
        return EtcdDatastore.open(EtcdSettings.of(List.of(endpoint)).withCallLimit(AMPLE));
    }
}
