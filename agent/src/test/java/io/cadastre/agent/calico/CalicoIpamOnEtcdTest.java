package io.cadastre.agent.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.SharedEtcd;
import org.junit.jupiter.api.extension.RegisterExtension;

class CalicoIpamOnEtcdTest extends CalicoIpamContract {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    @Override
    Datastore open() {
        return ETCD.openEmpty();
    }
}
