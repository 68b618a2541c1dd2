package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LivePodsTest {

    private static void put(MemoryDatastore store, Name name, String json) {
        assertThat(store.commit(List.of(new Write.Create(PodDocument.key(name), Bytes.ofUtf8(json)))))
                .isInstanceOf(Commit.Done.class);
    }

    @Test
    void whetherTheyAreListedOrAskedForOneByOneTheSameAreFound() {
        try (var store = new MemoryDatastore()) {
            var wanted = new TreeMap<Name, NavigableSet<String>>();
            IntStream.range(0, 100)
                    .forEach(number -> wanted.put(new Name("default", "pod-" + number), new TreeSet<>()));
            var living = new Name("default", "pod-7");
            var unreadable = new Name("default", "pod-70");
            put(store, living, "{\"spec\":{\"nodeName\":\"node-1\"}}");
            put(store, unreadable, "{\"spec\":7}");
            put(store, new Name("default", "stranger"), "{}");

            var listed = LivePods.fetch(store, wanted, 100, ClusterSource.KUBERNETES);
            var asked = LivePods.fetch(store, wanted, 250_000, ClusterSource.KUBERNETES);

            assertThat(listed.found()).containsOnlyKeys(living);
            assertThat(listed.unreadable()).containsExactly(unreadable);
            assertThat(asked).isEqualTo(listed);
        }
    }
}
