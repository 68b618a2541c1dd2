package io.cadastre.engine.nodecidr.multipool;

import static io.cadastre.engine.nodecidr.multipool.MultiPoolCluster.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Random pools, needs and lists. A failure names its seed.
class MultiPoolPropertiesTest {

    private static final int SEEDS = 300;
    private static final int STEPS = 60;

    /// Pools that overlap, since nothing forbids them where others write the objects.
    private static final List<List<String>> CIDRS = List.of(
            List.of("10.0.0.0/25"),
            List.of("10.0.0.0/26"),
            List.of("10.0.0.64/26", "10.0.1.0/26"),
            List.of("10.0.1.0/25"));

    @Test
    void noTwoNodesHaveABlockWhateverBecomesOfPools() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var cluster = new MultiPoolCluster();
            int syncAt = random.nextInt(STEPS / 2);
            var names = new TreeSet<String>();
            for (int step = 0; step < STEPS; step++) {
                var name = "n" + random.nextInt(5);
                var pool = "p" + random.nextInt(2);
                if (step == syncAt) {
                    cluster.synced();
                }
                switch (random.nextInt(7)) {
                    case 0 ->
                        cluster.put(pool(
                                pool,
                                28,
                                CIDRS.get(random.nextInt(CIDRS.size())).toArray(String[]::new)));
                    case 1 -> cluster.drop(pool);
                    case 2 -> {
                        cluster.delete(name);
                        names.remove(name);
                    }
                    case 3 -> {
                        cluster.list(name, pool, "10.0.%d.%d/28".formatted(random.nextInt(2), random.nextInt(8) * 16));
                        names.add(name);
                    }
                    case 4 -> {
                        cluster.event(name);
                        names.add(name);
                    }
                    default -> {
                        cluster.need(name, List.of(new Need(pool, random.nextInt(60), 0)));
                        names.add(name);
                    }
                }

                assertThat(Survey.of(MultiPoolHoldings.of(cluster.view())).stream()
                                .filter(TwoHolders.class::isInstance)
                                .filter(violation -> violation.sentence().contains("ciliumnode/")))
                        .as("seed %d, step %d", seed, step)
                        .isEmpty();
            }
            for (int round = 0; round < 2; round++) {
                names.forEach(cluster::event);
            }
            var listed = new ArrayList<Prefix>();
            names.forEach(name -> cluster.node(name).allocated().forEach(entry -> listed.addAll(entry.cidrs())));
            assertThat(new TreeSet<>(listed)).as("seed %d", seed).hasSameSizeAs(listed);
        }
    }

    @Test
    void aTwinThatWalksOverAllBlocksGivesTheSame() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var cluster = new MultiPoolCluster()
                    .with(pool("p", 28, "10.0.0.0/25", "10.0.2.0/26"))
                    .synced();
            var twin = new SlowPools();
            for (int step = 0; step < STEPS; step++) {
                var name = "n" + random.nextInt(4);
                if (random.nextInt(4) == 0) {
                    cluster.delete(name);
                    twin.held.remove(name);
                } else {
                    int needed = random.nextInt(80);
                    cluster.need(name, "p", needed);
                    twin.need(name, needed);
                }

                assertThat(cluster.cidrs(name, "p"))
                        .as("seed %d, step %d", seed, step)
                        .containsExactlyElementsOf(twin.held.getOrDefault(name, new TreeSet<>()).stream()
                                .map(Prefix::toString)
                                .toList());
            }
        }
    }

    /// The law of one pool as a story: all blocks of each CIDR in a list, and where its search goes on.
    private static final class SlowPools {

        private final List<List<Prefix>> cidrs = List.of(blocks("10.0.0.", 8), blocks("10.0.2.", 4));
        private final int[] cursors = new int[2];
        private final TreeMap<String, TreeSet<Prefix>> held = new TreeMap<>();

        private static List<Prefix> blocks(String start, int count) {
            var blocks = new ArrayList<Prefix>();
            for (int block = 0; block < count; block++) {
                blocks.add(Prefix.parse(start + block * 16 + "/28"));
            }
            return blocks;
        }

        void need(String node, int needed) {
            while (held.getOrDefault(node, new TreeSet<>()).size() * 14 < needed && take(node)) {
                assertThat(held.get(node)).isNotEmpty();
            }
        }

        private boolean take(String node) {
            for (int cidr = 0; cidr < cidrs.size(); cidr++) {
                var blocks = cidrs.get(cidr);
                for (int step = 0; step < blocks.size(); step++) {
                    int at = (cursors[cidr] + step) % blocks.size();
                    var block = blocks.get(at);
                    if (held.values().stream().noneMatch(others -> others.contains(block))) {
                        cursors[cidr] = (at + 1) % blocks.size();
                        held.computeIfAbsent(node, _ -> new TreeSet<>()).add(block);
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
