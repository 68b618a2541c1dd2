package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.SharedEtcd;
import org.junit.jupiter.api.extension.RegisterExtension;

class CalicoBookOnEtcdTest extends CalicoBookContract {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    @Override
    protected Datastore open() {
        return ETCD.openEmpty();
    }
}
