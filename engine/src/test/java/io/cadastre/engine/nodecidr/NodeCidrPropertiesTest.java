package io.cadastre.engine.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Assigned;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random clusters, nodes of earlier times and requests. A failure names its seed.
class NodeCidrPropertiesTest {

    private static final int SEEDS = 400;
    private static final int STEPS = 80;

    @Test
    void theSurveyAcceptsTheWorldAfterEachChangeOfEveryDecision() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var view = randomView(random);
            for (int step = 0; step < STEPS; step++) {
                for (var change : randomDecision(random, view)) {
                    view = view.with(change);

                    assertThat(Survey.of(NodeCidrHoldings.of(view)))
                            .as("seed %d, step %d", seed, step)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void aViewDerivedChangeByChangeIsTheOneBuiltAnew() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var view = withMisfitsAndIntruders(random, randomView(random));
            for (int step = 0; step < STEPS; step++) {
                for (var change : randomDecision(random, view)) {
                    view = view.with(change);
                }
                var anew = NodeCidrView.of(view.config(), view.nodes(), view.cursors());

                assertThat(view).as("seed %d, step %d", seed, step).isEqualTo(anew);
                assertThat(marks(view)).as("seed %d, step %d", seed, step).isEqualTo(marks(anew));
                assertThat(view.misfits()).as("seed %d", seed).isEqualTo(anew.misfits());
                assertThat(view.heldTwice()).as("seed %d", seed).isEqualTo(anew.heldTwice());
            }
        }
    }

    @Test
    void aTwinWithOneFlagPerBlockGivesTheSameBlocks() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var view = withMisfitsAndIntruders(random, randomView(random));
            var twin = new SlowWorld(view);
            for (int step = 0; step < STEPS; step++) {
                var name = "node-" + random.nextInt(30);
                if (random.nextInt(3) > 0) {
                    var decision = NodeCidrEngine.add(view, new AddRequest(name));
                    var expected = twin.add(name);

                    switch (decision.outcome()) {
                        case Assigned(var _, var podCidrs) ->
                            assertThat(podCidrs)
                                    .as("seed %d, step %d", seed, step)
                                    .isEqualTo(expected);
                        case Refused(NodeCidrReason.Misfit _) ->
                            assertThat(view.find(name).orElseThrow().podCidrs())
                                    .as("seed %d, step %d", seed, step)
                                    .isEqualTo(expected);
                        case Refused _ ->
                            assertThat(expected)
                                    .as("seed %d, step %d", seed, step)
                                    .isEmpty();
                    }
                    view = enacted(view, decision.changes());
                } else {
                    twin.remove(name);
                    view = enacted(
                            view,
                            NodeCidrEngine.remove(view, new RemoveRequest(name)).changes());
                }
            }
        }
    }

    /// The law as a story: before each assignment all flags are set anew from all nodes.
    private static final class SlowWorld {

        private final NodeCidrConfig config;
        private final List<SlowCidrSet> sets = new ArrayList<>();
        private final TreeMap<String, NodeEntry> nodes = new TreeMap<>();

        SlowWorld(NodeCidrView view) {
            config = view.config();
            config.clusters().forEach(cluster -> sets.add(new SlowCidrSet(cluster)));
            view.nodes().forEach(node -> nodes.put(node.name(), node));
        }

        /// What the node holds, or nothing if it is refused.
        List<String> add(String name) {
            var node = nodes.getOrDefault(name, NodeCidrCluster.aNode(name));
            if (!node.podCidrs().isEmpty()) {
                return node.podCidrs();
            }
            sets.forEach(this::markAnew);
            if (sets.stream().anyMatch(set -> set.used().size() == set.blockCount())) {
                return List.of();
            }
            var given = sets.stream()
                    .map(set -> set.next().orElseThrow().toString())
                    .toList();
            nodes.put(name, NodeEntry.of(name, given));
            return given;
        }

        private void markAnew(SlowCidrSet set) {
            set.releaseAll();
            config.serviceRanges().forEach(set::occupy);
            nodes.values().forEach(node -> node.prefixes().forEach(set::occupy));
        }

        void remove(String name) {
            nodes.remove(name);
        }
    }

    private static List<NodeCidrChange> randomDecision(Random random, NodeCidrView view) {
        var name = "node-" + random.nextInt(30);
        return random.nextInt(3) > 0
                ? NodeCidrEngine.add(view, new AddRequest(name)).changes()
                : NodeCidrEngine.remove(view, new RemoveRequest(name)).changes();
    }

    private static NodeCidrView enacted(NodeCidrView view, List<NodeCidrChange> changes) {
        var after = view;
        for (var change : changes) {
            after = after.with(change);
        }
        return after;
    }

    private static List<List<Integer>> marks(NodeCidrView view) {
        return view.sets().stream()
                .map(set -> {
                    var marks = new ArrayList<Integer>();
                    marks.add(set.cursor());
                    for (int index = 0; index < set.blockCount(); index++) {
                        if (set.uses(index)) {
                            marks.add(index);
                        }
                    }
                    return List.copyOf(marks);
                })
                .toList();
    }

    /// A cluster of up to 32 blocks of each family, service ranges anywhere, and disjoint nodes of any
    /// size from before.
    private static NodeCidrView randomView(Random random) {
        var clusters = new ArrayList<Subdivision>();
        int families = random.nextInt(3);
        if (families != 1) {
            clusters.add(randomCluster(random, Prefix.parse("10.244.0.0/16")));
        }
        if (families != 0) {
            clusters.add(randomCluster(random, Prefix.parse("fd00:10::/60")));
        }
        var serviceRanges = new ArrayList<Prefix>();
        if (random.nextBoolean()) {
            var cluster = clusters.get(random.nextInt(clusters.size()));
            serviceRanges.add(randomPrefix(random, cluster, 2));
        }
        var config = new NodeCidrConfig(clusters, serviceRanges);
        var view = NodeCidrView.of(config, List.of(), Cursors.none());
        for (int i = 0; i < random.nextInt(6); i++) {
            view = joinedBy(view, "old-" + i, randomPrefix(random, clusters.getFirst(), 1), false);
        }
        return view;
    }

    private static Subdivision randomCluster(Random random, Prefix around) {
        int length = around.length() + random.nextInt(3);
        return new Subdivision(Prefix.containing(around.address(), length), length + random.nextInt(6));
    }

    /// A prefix at least this much longer than the cluster CIDR, somewhere inside it.
    private static Prefix randomPrefix(Random random, Subdivision cluster, int deeper) {
        var whole = cluster.whole();
        int bits = whole.family().bits();
        int length = Math.min(bits, whole.length() + deeper + random.nextInt(6));
        var parts = new Subdivision(whole, length);
        return parts.part(random.nextInt((int) parts.lastOrdinal() + 1));
    }

    /// The view with a node that holds the prefix, unless someone holds part of it and rivals are not
    /// wanted.
    private static NodeCidrView joinedBy(NodeCidrView view, String name, Prefix prefix, boolean rivalsToo) {
        var nodes = new ArrayList<>(view.nodes());
        nodes.add(NodeCidrCluster.aNode(name, prefix.toString()));
        var joined = NodeCidrView.of(view.config(), nodes, view.cursors());
        return rivalsToo || Survey.of(NodeCidrHoldings.of(joined)).isEmpty() ? joined : view;
    }

    private static NodeCidrView withMisfitsAndIntruders(Random random, NodeCidrView view) {
        var cluster = view.config().clusters().getFirst();
        var result = view;
        for (int i = 0; i < random.nextInt(4); i++) {
            var prefix =
                    switch (random.nextInt(4)) {
                        case 0 -> new Prefix(Address.ipv4(0xac100000), 24);
                        case 1 -> cluster.whole();
                        default -> randomPrefix(random, cluster, 0);
                    };
            result = joinedBy(result, "node-" + i, prefix, true);
        }
        return result;
    }
}
