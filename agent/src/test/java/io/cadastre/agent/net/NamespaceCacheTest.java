package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class NamespaceCacheTest {

    private static final Duration AMPLE = Duration.ofSeconds(30);
    private static final String SHOP = StoredPods.NAMESPACES + "shop";

    @AutoClose
    private final FailingEndpointStore store = new FailingEndpointStore(new MemoryDatastore());

    private long create(String key, String value) {
        return revision(store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value)))));
    }

    private static long revision(Commit commit) {
        assertThat(commit).isInstanceOf(Commit.Done.class);
        return ((Commit.Done) commit).revisions().getFirst();
    }

    private NamespaceCache begin() {
        return NamespaceCache.begin(store, _ -> LockSupport.parkNanos(1_000_000));
    }

    @Test
    void namespaceThatTheWatchReportedIsNotRead() {
        create(SHOP, "a");
        try (var cache = begin()) {
            await().atMost(AMPLE).until(() -> cache.knows(SHOP));

            var found = cache.find(SHOP);

            assertThat(found.orElseThrow().value().utf8()).isEqualTo("a");
            assertThat(store.reads()).isEmpty();
        }
    }

    @Test
    void changeAndDeletionAreTakenFromTheWatch() {
        long created = create(SHOP, "a");
        try (var cache = begin()) {
            await().atMost(AMPLE).until(() -> cache.knows(SHOP));

            long updated = revision(store.commit(List.of(new Write.Update(SHOP, Bytes.ofUtf8("b"), created))));
            await().atMost(AMPLE)
                    .until(() -> cache.find(SHOP).orElseThrow().value().utf8().equals("b"));
            store.commit(List.of(new Write.Delete(SHOP, updated)));

            await().atMost(AMPLE).until(() -> cache.find(SHOP).isEmpty());
        }
    }

    @Test
    void namespaceThatIsNotKnownIsRead() {
        create(SHOP, "a");
        try (var cache = NamespaceCache.unwatched(store, _ -> {})) {
            assertThat(cache.find(SHOP)).isPresent();
            assertThat(store.reads()).containsExactly(SHOP);
        }
    }

    @Test
    void namespacesAreReadAfterTheWatchHasEnded() {
        create(SHOP, "a");
        var cache = begin();
        await().atMost(AMPLE).until(() -> cache.knows(SHOP));

        cache.close();

        assertThat(cache.knows(SHOP)).isFalse();
        assertThat(cache.find(SHOP)).isPresent();
    }
}
