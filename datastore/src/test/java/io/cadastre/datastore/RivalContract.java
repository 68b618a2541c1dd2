package io.cadastre.datastore;

import static io.cadastre.datastore.StoreWords.await;
import static io.cadastre.datastore.StoreWords.bytes;
import static io.cadastre.datastore.StoreWords.put;
import static io.cadastre.datastore.StoreWords.replace;
import static io.cadastre.datastore.StoreWords.update;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What a store promises to writers who meet, and to writers who do not.
interface RivalContract extends TestedStore {

    @Test
    default void sixtyFourWritersOfOneKeyLoseNoUpdate() throws Exception {
        var store = openStore();
        put(store, "counter", "0");
        int writerCount = 64;
        int incrementsEach = 2;

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int writer = 0; writer < writerCount; writer++) {
                writers.add(threads.submit(() -> {
                    for (int count = 0; count < incrementsEach; count++) {
                        increment(store, "counter");
                    }
                    return null;
                }));
            }
            await(writers);
        }

        assertThat(store.get("counter").orElseThrow().value()).isEqualTo(bytes("" + writerCount * incrementsEach));
    }

    @Test
    default void sixtyFourWritersOfSixtyFourKeysDoNotMeet() throws Exception {
        var store = openStore();
        int writerCount = 64;
        int updatesEach = 8;

        var writers = new ArrayList<Future<List<Long>>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < writerCount; writer++) {
                var key = "key-" + writer;
                writers.add(threads.submit(() -> {
                    var document = put(store, key, "0");
                    var revisions = new ArrayList<>(List.of(document.revision()));
                    for (int update = 1; update <= updatesEach; update++) {
                        document = replace(store, document, "" + update);
                        revisions.add(document.revision());
                    }
                    return revisions;
                }));
            }
        }

        // Writers may share a revision with each other, but each meets its own in order.
        for (var writer : writers) {
            assertThat(await(writer)).isSorted().doesNotHaveDuplicates();
        }
        assertThat(store.listAll("key-").documents())
                .hasSize(writerCount)
                .extracting(document -> document.value().utf8())
                .containsOnly("" + updatesEach);
    }

    /// Ends: whenever one of the writers that meet at the key is refused, another one was served.
    private static void increment(Datastore store, String key) {
        Commit commit;
        do {
            var document = store.get(key).orElseThrow();
            int count = Integer.parseInt(document.value().utf8());
            commit = store.commit(List.of(update(document, "" + (count + 1))));
        } while (commit instanceof Commit.Conflict);
        assertThat(commit).isInstanceOf(Commit.Done.class);
    }
}
