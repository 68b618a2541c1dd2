package io.cadastre.cli;

import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// Controllers as processes, on a real etcd.
@Timeout(300)
class ControllerOnEtcdTest {

    @Test
    void aStoppedLeaderFreesNothingWhenItGoesOn(@TempDir Path home) throws Exception {
        try (var etcd = EtcdProcess.start(home);
                var store = EtcdDatastore.open(etcd.settings());
                var controllers = ControllerProcesses.in(home)) {
            var shell =
                    Shell.at(home)
                            .with("DATASTORE_TYPE", "etcdv3")
                            .with("ETCD_ENDPOINTS", etcd.endpoint().toString());

            StoppedLeader.freesNothingWhenItGoesOn(controllers, shell, store);
        }
    }
}
