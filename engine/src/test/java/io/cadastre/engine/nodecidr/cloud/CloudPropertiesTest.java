package io.cadastre.engine.nodecidr.cloud;

import static io.cadastre.engine.nodecidr.cloud.CloudNodes.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.cloud.CloudChange.AddAlias;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random nodes, and clouds that answer anything. A failure names its seed.
class CloudPropertiesTest {

    private static final int SEEDS = 3000;
    private static final int STEPS = 60;

    private static final List<String> TEXTS = List.of(
            "10.1.0.0/24",
            "10.1.1.0/24",
            "10.1.2.0/24",
            "10.1.3.7/24",
            "010.1.001.0/24",
            "10.1.0.0/22",
            "10.1.1.128/25",
            "10.1.0.0/12",
            "192.168.0.0/24",
            "fd00::/64",
            "FD00:0::/64",
            "::ffff:10.1.1.0/120",
            "10.1.0.0",
            "10.1.0.0/99",
            "bogus",
            "",
            " 10.1.0.0/24",
            "10.1.0.0/24\n",
            "0.0.0.0/0");

    @Test
    void whateverTheCloudAnswersANodeIsWrittenAsAWholeOrNotAtAll() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var node = randomNode(random, "n1");
            var answer = randomAnswer(random);

            assertWhole(CloudEngine.follow(node, answer), node, seed);
            for (var mode : SyncMode.values()) {
                var view = CloudNodes.view(mode, "10.1.0.0/20", randomNode(random, "other"));
                assertWhole(SyncEngine.sync(view, node, answer).decision(), node, seed);
            }
        }
    }

    private static void assertWhole(Decision<CloudChange, CloudOutcome> decision, CloudNode node, long seed) {
        var changes = decision.changes();
        switch (decision.outcome()) {
            case CloudOutcome.InStep(var cidrs) -> {
                assertThat(cidrs).as("seed %d", seed).isNotEmpty();
                assertThat(cidrs.stream().map(Prefix::family))
                        .as("seed %d", seed)
                        .doesNotHaveDuplicates();
                for (int index = 0; index < changes.size(); index++) {
                    boolean last = index == changes.size() - 1;
                    switch (changes.get(index)) {
                        case PatchCidrs(var name, var given, var _) -> {
                            assertThat(name).isEqualTo(node.name());
                            assertThat(given).as("seed %d", seed).isEqualTo(cidrs);
                            assertThat(last).as("seed %d", seed).isFalse();
                        }
                        case AddAlias(var name, var providerId, var range) -> {
                            assertThat(name).isEqualTo(node.name());
                            assertThat(providerId).isEqualTo(node.providerId());
                            assertThat(cidrs).as("seed %d", seed).containsExactly(range);
                            assertThat(index).as("seed %d", seed).isZero();
                        }
                        case OpenNetwork(var name, var _) -> {
                            assertThat(name).isEqualTo(node.name());
                            assertThat(last).as("seed %d", seed).isTrue();
                        }
                    }
                }
            }
            case CloudOutcome.Mismatched _, CloudOutcome.Refused _ ->
                assertThat(changes).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void noTwoNodesAreGivenOneBlockWhereverTheAttemptsStop() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            var random = new Random(seed);
            var world = new TreeMap<String, CloudNode>();
            var machines = new TreeMap<String, Prefix>();
            var view = CloudNodes.view(SyncMode.FROM_CLUSTER, "10.1.0.0/20");
            for (int step = 0; step < STEPS; step++) {
                var name = "n" + random.nextInt(12);
                if (random.nextInt(5) == 0) {
                    var gone = world.remove(name);
                    machines.remove(name);
                    view = gone == null ? view : SyncEngine.forget(view, gone).after();
                    continue;
                }
                var node = world.computeIfAbsent(name, fresh -> aNode(fresh));
                var answer = machines.containsKey(name)
                        ? CloudNodes.ranges(machines.get(name).toString())
                        : CloudNodes.ranges();
                var sync = SyncEngine.sync(view, node, answer);
                view = sync.after();
                var changes = sync.decision().changes();
                for (var change : changes.subList(0, random.nextInt(changes.size() + 1))) {
                    enact(change, world, machines);
                    view = change instanceof OpenNetwork ? view.finished(name) : view;
                }
                if (random.nextBoolean()) {
                    view = view.seeing(world.get(name));
                }

                assertThat(held(world, machines))
                        .as("seed %d, step %d", seed, step)
                        .doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void stoppedAttemptsComeToAnEndWhenTheyAreRepeated() {
        for (long seed = 1; seed <= SEEDS / 10; seed++) {
            var random = new Random(seed);
            var world = new TreeMap<>(Map.of("n1", aNode("n1")));
            var machines = new TreeMap<String, Prefix>();
            var view = CloudNodes.view(SyncMode.FROM_CLUSTER, "10.1.0.0/20");
            // Ends: an attempt that is not stopped comes to its end.
            for (int attempt = 0; attempt < 50; attempt++) {
                var answer = machines.containsKey("n1")
                        ? CloudNodes.ranges(String.valueOf(machines.get("n1")))
                        : CloudNodes.ranges();
                var sync = SyncEngine.sync(view, Objects.requireNonNull(world.get("n1")), answer);
                view = sync.after();
                var changes = sync.decision().changes();
                int done = attempt == 49 ? changes.size() : random.nextInt(changes.size() + 1);
                for (var change : changes.subList(0, done)) {
                    enact(change, world, machines);
                    view = change instanceof OpenNetwork ? view.finished("n1") : view;
                }
            }

            var node = Objects.requireNonNull(world.get("n1"));
            assertThat(node.saysItHasANetwork()).as("seed %d", seed).isTrue();
            assertThat(node.podCidr()).as("seed %d", seed).isEqualTo(String.valueOf(machines.get("n1")));
        }
    }

    private static void enact(CloudChange change, Map<String, CloudNode> world, Map<String, Prefix> machines) {
        switch (change) {
            case AddAlias(var node, var _, var range) -> machines.put(node, range);
            case PatchCidrs(var name, var cidrs, var _) ->
                world.computeIfPresent(
                        name,
                        (_, node) -> new CloudNode(
                                NodeEntry.of(
                                        name,
                                        cidrs.stream().map(Prefix::toString).toList()),
                                node.providerId(),
                                node.networkUnavailable(),
                                false));
            case OpenNetwork(var name, var _) ->
                world.computeIfPresent(
                        name, (_, node) -> new CloudNode(node.entry(), node.providerId(), "False", false));
        }
    }

    /// Each block once for the node and machine that share it.
    private static List<String> held(Map<String, CloudNode> world, Map<String, Prefix> machines) {
        var held = new ArrayList<String>();
        for (var node : world.values()) {
            if (!node.podCidr().isEmpty()) {
                held.add(node.podCidr());
            }
            var alias = machines.get(node.name());
            if (alias != null && !alias.toString().equals(node.podCidr())) {
                held.add(alias.toString());
            }
        }
        return held;
    }

    private static CloudNode randomNode(Random random, String name) {
        var podCidrs = new ArrayList<String>();
        int count = random.nextInt(3);
        for (int index = 0; index < count; index++) {
            podCidrs.add(TEXTS.get(random.nextInt(TEXTS.size())));
        }
        var statuses = List.of("", "True", "False", "Unknown");
        return new CloudNode(
                new NodeEntry(name, podCidrs, random.nextBoolean()),
                random.nextInt(8) == 0 ? "" : "gce://p/z/" + name,
                statuses.get(random.nextInt(statuses.size())),
                random.nextBoolean());
    }

    private static AliasRanges randomAnswer(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> new AliasRanges.Failed("failed");
            case 1 -> new AliasRanges.NoSuchInstance("none");
            default -> {
                var ranges = new ArrayList<String>();
                int count = random.nextInt(5);
                for (int index = 0; index < count; index++) {
                    ranges.add(TEXTS.get(random.nextInt(TEXTS.size())));
                }
                yield new AliasRanges.Found(ranges);
            }
        };
    }
}
