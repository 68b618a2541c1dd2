package io.cadastre.datastore.memory;

import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.putMany;
import static io.cadastre.datastore.StoreWords.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;
import io.cadastre.datastore.Watch.Notice;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class MemoryDatastoreTest extends DatastoreContract {

    private final Contents contents = new Contents();

    @Override
    public Datastore open(Duration callLimit) {
        return new MemoryDatastore(contents, callLimit);
    }

    @Override
    public void compact(long revision) {
        try (var store = new MemoryDatastore(contents, AMPLE)) {
            store.compact(revision);
        }
    }

    @Override
    public AutoCloseable stall() throws Exception {
        var held = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        var holder = CompletableFuture.runAsync(
                () -> {
                    contents.lock.lock();
                    try {
                        held.countDown();
                        over.await();
                    } catch (InterruptedException interrupted) {
                        throw new AssertionError(interrupted);
                    } finally {
                        contents.lock.unlock();
                    }
                },
                Thread::startVirtualThread);
        held.await();
        return () -> {
            over.countDown();
            holder.join();
        };
    }

    @Test
    void oneCommitHasOneRevision() throws Exception {
        var store = openStore();

        var first = put(store, "a", "1");
        var second = put(store, "b", "1");

        assertThat(first.revision()).isEqualTo(1);
        assertThat(second.revision()).isEqualTo(2);
    }

    @Test
    void historyIsForgottenWithoutBeingAskedWhenItGrowsTooLong() throws Exception {
        var store = openStore();
        putMany(store, "p/", 2);
        var cursor = store.list("p/", 1).next().orElseThrow();
        var document = put(store, "a", "0");
        for (int count = 1; count <= RevisionHistory.REVISIONS_MAX; count++) {
            document = replace(store, document, "" + count);
        }

        assertThatThrownBy(() -> store.list(cursor, 1)).isInstanceOf(CompactedException.class);
        try (var watch = store.watch("a", cursor.revision())) {
            assertThat(watch.next(Duration.ZERO)).isInstanceOf(Notice.Compacted.class);
        }
        assertThat(store.get("a")).contains(document);
    }

    @Test
    void handleSharesTheDocumentsAndNotTheClosing() {
        var store = new MemoryDatastore();
        var document = put(store, "a", "1");

        try (var handle = store.handle(AMPLE)) {
            store.close();

            assertThat(handle.get("a")).contains(document);
        }
    }
}
