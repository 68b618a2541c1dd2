package io.cadastre.controller.collection;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.etcd.EtcdProcess;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

final class CollectionOnEtcdTest extends CollectionContract {

    private static @Nullable EtcdProcess etcd;

    private final List<Datastore> opened = new ArrayList<>();

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
    Datastore emptyStore() {
        var store = Objects.requireNonNull(etcd).openEmpty();
        opened.add(store);
        return store;
    }

    @AfterEach
    void close() {
        opened.forEach(Datastore::close);
    }
}
