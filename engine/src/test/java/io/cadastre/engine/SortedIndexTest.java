package io.cadastre.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SortedIndexTest {

    @Test
    void aTreeMapAgreesAndEarlierMapsStayAsTheyWere() {
        for (long seed = 1; seed <= 100; seed++) {
            var random = new Random(seed);
            var map = SortedIndex.<String, Integer>empty();
            var twin = new TreeMap<String, Integer>();
            for (int step = 0; step < 300; step++) {
                var before = map;
                var valuesBefore = List.copyOf(twin.values());
                var name = "node-" + random.nextInt(60);
                if (random.nextInt(3) > 0) {
                    map = map.with(name, step);
                    twin.put(name, step);
                } else {
                    map = map.without(name);
                    twin.remove(name);
                }

                assertThat(map.values()).as("seed %d", seed).containsExactlyElementsOf(twin.values());
                assertThat(map.size()).as("seed %d", seed).isEqualTo(twin.size());
                assertThat(map.find(name)).as("seed %d", seed).isEqualTo(Optional.ofNullable(twin.get(name)));
                assertThat(before.values()).as("seed %d", seed).isEqualTo(valuesBefore);
            }
        }
    }

    @Test
    void namesInOrderMakeNoDeepTree() {
        var map = SortedIndex.<String, Integer>empty();
        for (int i = 0; i < 100_000; i++) {
            map = map.with("node-%06d".formatted(i), i);
        }

        // 1.44 log2(100000), which an AVL tree does not exceed.
        assertThat(map.root().height()).isLessThanOrEqualTo(24);
        assertThat(map.find("node-054321")).contains(54321);
    }
}
