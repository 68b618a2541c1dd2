package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SharedHandleOnEtcdTest extends SharedHandleContract {

    private static @Nullable EtcdProcess etcd;

    @BeforeAll
    static void startEtcd(@TempDir Path folder) throws IOException {
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
        return Objects.requireNonNull(etcd).openEmpty();
    }
}
