package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.LostAnswerContract;
import io.cadastre.datastore.Write;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The answers are lost by a proxy that cuts the connection after, or before, it passes the request.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdLostAnswerTest extends LostAnswerContract {

    private EtcdProcess etcd;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        etcd = EtcdProcess.start(directory);
    }

    @AfterAll
    void stop() {
        etcd.close();
    }

    @BeforeEach
    void wipe() throws IOException {
        etcd.wipe();
    }

    @Override
    protected Datastore open(Duration callLimit) {
        return EtcdDatastore.open(etcd.settings().withCallLimit(callLimit));
    }

    @Override
    protected Lost lose(Effect effect) throws IOException {
        var writes =
                List.<Write>of(
                        new Write.Create("a", Bytes.ofUtf8("1")),
                        new Write.Create("b", Bytes.ofUtf8("2")));
        try (var proxy = new TcpProxy(etcd.clientPort());
                var store = EtcdDatastore.open(EtcdSettings.of(List.of(proxy.endpoint())))) {
            store.get("a");
            proxy.plan(
                    switch (effect) {
                        case APPLIED -> TcpProxy.Plan.CUT_BEFORE_ANSWER;
                        case NOT_APPLIED -> TcpProxy.Plan.CUT_BEFORE_REQUEST;
                    });
            return new Lost(writes, store.commit(writes));
        }
    }
}
