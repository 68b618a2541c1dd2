package io.cadastre.cli;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.datastore.etcd.EtcdSettings;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

final class IpamScenariosOnEtcdTest extends IpamScenarios {

    private static @Nullable EtcdProcess etcd;

    @BeforeAll
    static void startEtcd(@TempDir Path folder) throws IOException, InterruptedException {
        etcd = EtcdProcess.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    Shell open(Path freshHome) {
        var shell =
                Shell.at(freshHome)
                        .with("DATASTORE_TYPE", "etcdv3")
                        .with("ETCD_ENDPOINTS", Objects.requireNonNull(etcd).endpoint().toString());
        try (var store = store(shell)) {
            for (var document : store.listAll("").documents()) {
                store.commit(List.of(new Write.Delete(document.key(), document.revision())));
            }
        }
        return shell;
    }

    @Override
    Datastore store(Shell user) {
        return EtcdDatastore.open(EtcdSettings.fromEnvironment(user.environment()));
    }
}
