package io.cadastre.controller.spiderpool.status;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Reflector;
import io.cadastre.wire.spiderpool.objects.PoolUpkeep;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Reports the pools that need something.
final class PoolWatch implements Reflector.WatchHandler {

    private final Consumer<String> keys;
    private final Consumer<DatastoreException> failures;

    /// @param keys takes the key of each
    PoolWatch(Consumer<String> keys, Consumer<DatastoreException> failures) {
        this.keys = keys;
        this.failures = failures;
    }

    @Override
    public String name() {
        return "watch-pools";
    }

    @Override
    public String prefix() {
        return SpiderKeys.POOLS;
    }

    @Override
    public OptionalLong list(Datastore store) {
        try {
            return OptionalLong.of(store.scan(prefix(), page -> page.forEach(this::look)));
        } catch (CompactedException _) {
            return OptionalLong.empty();
        }
    }

    private void look(Document pool) {
        if (PoolUpkeep.due(pool)) {
            keys.accept(pool.key());
        }
    }

    @Override
    public void change(Watch.Notice.Changed changed) {
        for (var change : changed.changes()) {
            if (change instanceof Watch.Change.Put(var pool)) {
                look(pool);
            }
        }
    }

    @Override
    public void lost() {}

    @Override
    public void failed(DatastoreException failure) {
        failures.accept(failure);
    }
}
