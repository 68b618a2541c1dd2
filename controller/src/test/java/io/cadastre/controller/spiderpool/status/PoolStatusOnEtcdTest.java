package io.cadastre.controller.spiderpool.status;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.SharedEtcd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

final class PoolStatusOnEtcdTest extends PoolStatusContract {

    @RegisterExtension
    static final SharedEtcd ETCD = new SharedEtcd();

    private final List<Datastore> opened = new ArrayList<>();

    @Override
    Datastore emptyStore() {
        var store = ETCD.openEmpty();
        opened.add(store);
        return store;
    }

    @AfterEach
    void close() {
        opened.forEach(Datastore::close);
    }
}
