package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.SharedEtcd;
import org.junit.jupiter.api.extension.RegisterExtension;

class SpiderBookOnEtcdTest extends SpiderBookContract {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    @Override
    protected Datastore open() {
        return ETCD.openEmpty();
    }
}
