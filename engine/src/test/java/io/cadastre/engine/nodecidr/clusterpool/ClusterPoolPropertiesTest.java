package io.cadastre.engine.nodecidr.clusterpool;

import static io.cadastre.engine.nodecidr.clusterpool.ClusterPoolCluster.family;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Survey;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFlags.OfFamily;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolOutcome.Failed;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolOutcome.Holds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Random clusters, events and editors. A failure names its seed.
class ClusterPoolPropertiesTest {

    private static final int SEEDS = 300;
    private static final int STEPS = 60;

    private static final OfFamily IPV4 = family(26, "10.0.0.0/24", "10.0.2.0/24");
    private static final OfFamily IPV6 = family(124, "fd00::/121");

    @Test
    void theSurveyAcceptsTheMapAfterEachEventAndObjectsEndWithoutDuplicates() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var cluster = ClusterPoolCluster.dual(IPV4, IPV6);
            int syncAt = random.nextInt(STEPS);
            var names = new TreeSet<String>();
            for (int step = 0; step < STEPS; step++) {
                var name = "n" + random.nextInt(10);
                if (step == syncAt) {
                    cluster.sync();
                } else if (random.nextInt(4) == 0 && names.remove(name)) {
                    cluster.delete(name);
                } else if (random.nextInt(3) == 0 || !names.contains(name)) {
                    names.add(name);
                    cluster.edit(name, randomCidrs(random));
                } else {
                    cluster.event(name);
                }

                assertThat(Survey.of(ClusterPoolHoldings.of(cluster.view())))
                        .as("seed %d, step %d", seed, step)
                        .isEmpty();
            }
            // Each node is seen until its object rests: once to strip or to revert, once more to complete.
            for (int round = 0; round < 3; round++) {
                names.forEach(cluster::event);
            }
            var listed = new ArrayList<String>();
            names.stream()
                    .filter(name -> !cluster.error(name).startsWith("allocator not configured"))
                    .forEach(name -> listed.addAll(cluster.podCidrs(name)));
            assertThat(listed).as("seed %d", seed).doesNotHaveDuplicates();
        }
    }

    /// Blocks only: a bigger CIDR may share a part with another node, which the survey reports rightly.
    private static String[] randomCidrs(Random random) {
        var cidrs = new ArrayList<String>();
        if (random.nextBoolean()) {
            int block = random.nextInt(8);
            cidrs.add("10.0.%d.%d/26".formatted(block / 4 * 2, block % 4 * 64));
        }
        if (random.nextBoolean()) {
            cidrs.add("fd00::%x/124".formatted(random.nextInt(8) * 16));
        }
        if (random.nextInt(20) == 0) {
            cidrs.add("192.168.0.0/26");
        }
        return cidrs.toArray(String[]::new);
    }

    @Test
    void aTwinThatWalksOverAllBlocksGivesTheSame() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var cluster = ClusterPoolCluster.of(IPV4, OfFamily.DISABLED).synced();
            var twin = new SlowPool();
            for (int step = 0; step < STEPS; step++) {
                var name = "n" + random.nextInt(12);
                if (random.nextInt(3) == 0) {
                    cluster.delete(name);
                    twin.held.remove(name);
                } else if (!cluster.has(name)) {
                    var outcome = cluster.edit(name).outcome();
                    var expected = twin.give(name);

                    switch (outcome) {
                        case Holds(var _, var cidrs) ->
                            assertThat(cidrs).as("seed %d, step %d", seed, step).isEqualTo(expected);
                        case Failed _ ->
                            assertThat(expected)
                                    .as("seed %d, step %d", seed, step)
                                    .isEmpty();
                        default -> throw new AssertionError("seed %d: %s".formatted(seed, outcome));
                    }
                    if (expected.isEmpty()) {
                        cluster.delete(name);
                    }
                }
            }
        }
    }

    /// The law of one family as a story: a list of all blocks of each CIDR, and where its search goes on.
    private static final class SlowPool {

        private final List<List<Prefix>> cidrs = List.of(blocks("10.0.0."), blocks("10.0.2."));
        private final int[] cursors = new int[2];
        private final TreeMap<String, Prefix> held = new TreeMap<>();

        private static List<Prefix> blocks(String start) {
            var blocks = new ArrayList<Prefix>();
            for (int last = 0; last < 256; last += 64) {
                blocks.add(Prefix.parse(start + last + "/26"));
            }
            return blocks;
        }

        List<Prefix> give(String node) {
            for (int cidr = 0; cidr < cidrs.size(); cidr++) {
                var blocks = cidrs.get(cidr);
                for (int step = 0; step < blocks.size(); step++) {
                    int at = (cursors[cidr] + step) % blocks.size();
                    if (!held.containsValue(blocks.get(at))) {
                        cursors[cidr] = (at + 1) % blocks.size();
                        held.put(node, blocks.get(at));
                        return List.of(blocks.get(at));
                    }
                }
            }
            return List.of();
        }
    }
}
