package io.cadastre.agent.calico;

import static java.util.Objects.requireNonNull;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.EtcdProcess;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

class CalicoIpamOnEtcdTest extends CalicoIpamContract {

    @TempDir static Path folder = Path.of("");

    private static @Nullable EtcdProcess etcd;

    @BeforeAll
    static void startEtcd() throws IOException {
        etcd = EtcdProcess.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    Datastore open() {
        return requireNonNull(etcd).openEmpty();
    }
}
