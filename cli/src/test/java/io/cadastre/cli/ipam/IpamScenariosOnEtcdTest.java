package io.cadastre.cli.ipam;

import io.cadastre.cli.Shell;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdSettings;
import io.cadastre.datastore.etcd.SharedEtcd;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

final class IpamScenariosOnEtcdTest extends IpamScenarios {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    @Override
    Shell open(Path freshHome) {
        var shell = Shell.at(freshHome)
                .with("DATASTORE_TYPE", "etcdv3")
                .with("ETCD_ENDPOINTS", ETCD.member().endpoint().toString());
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
