package io.cadastre.engine.nodecidr.clustercidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.Survey.Violation.TwoHolders;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Held;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.NotAvailable;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Reserved;
import io.cadastre.engine.nodecidr.clustercidr.Retirement.Retired;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random joins, departures, new labels, lost writes, and ClusterCIDRs that come and go. A failure names its
/// seed.
class ClusterCidrPropertiesTest {

    private static final int SEEDS = 300;
    private static final int STEPS = 120;
    private static final int NAMES = 14;

    @Test
    void noTwoNodesOverlapAndNothingIsLeftWhenAllAreGone() {
        FreshSeeds.of("no two nodes overlap", SEEDS).forEach(seed -> {
            var world = new World(new Random(seed));
            for (int step = 0; step < STEPS; step++) {
                world.step();

                assertThat(Survey.of(ClusterCidrHoldings.of(world.view)))
                        .as("seed %d, step %d", seed, step)
                        .noneMatch(TwoHolders.class::isInstance);
                assertThat(marks(world.view)).as("seed %d, step %d", seed, step).isEqualTo(marksAnew(world.view));
            }

            world.removeAllNodes();

            assertThat(marks(world.view)).as("seed %d", seed).isEqualTo(marksOf(world.view, List.of()));
            assertThat(world.retireAll()).as("seed %d", seed).allMatch(Retired.class::isInstance);
            assertThat(world.view.entries()).as("seed %d", seed).isEmpty();
        });
    }

    @Test
    void theSlowTwinTriesTheSameCandidatesAndGivesTheSameBlocks() {
        FreshSeeds.of("the slow twin", SEEDS).forEach(seed -> {
            var world = new World(new Random(seed));
            for (int step = 0; step < STEPS; step++) {
                world.step();
                var node = world.randomNode();

                assertThat(CandidateOrder.giving(world.view.entries(), node.labels()).stream()
                                .map(ClusterCidrEntry::name))
                        .as("seed %d, step %d", seed, step)
                        .containsExactlyElementsOf(world.twin.candidates(node.labels()));
            }
            assertThat(world.differences).as("seed %d", seed).isEmpty();
        });
    }

    /// The blocks of each ClusterCIDR that are used.
    private static List<List<Boolean>> marks(ClusterCidrView view) {
        var marks = new ArrayList<List<Boolean>>();
        for (var entry : view.entries()) {
            for (var set : entry.sets()) {
                var used = new ArrayList<Boolean>();
                for (int index = 0; index < set.blockCount(); index++) {
                    used.add(set.uses(index));
                }
                marks.add(used);
            }
        }
        return marks;
    }

    /// The same, from all that is held.
    private static List<List<Boolean>> marksAnew(ClusterCidrView view) {
        var held = new ArrayList<Prefix>();
        view.holds().forEach(hold -> held.addAll(hold.cidrs()));
        view.reservations().forEach(reservation -> held.addAll(reservation.blocks()));
        return marksOf(view, held);
    }

    private static List<List<Boolean>> marksOf(ClusterCidrView view, List<Prefix> held) {
        var used = new ArrayList<>(held);
        used.addAll(view.serviceRanges());
        var marks = new ArrayList<List<Boolean>>();
        for (var entry : view.entries()) {
            for (var set : entry.sets()) {
                var blocks =
                        new Subdivision(set.cluster().whole(), set.cluster().partLength());
                var row = new ArrayList<Boolean>();
                for (int index = 0; index < set.blockCount(); index++) {
                    row.add(used.stream().anyMatch(blocks.part(index)::overlaps));
                }
                marks.add(row);
            }
        }
        return marks;
    }

    /// A cluster as its API server has it, and what a controller makes of it.
    private static final class World {

        private static final List<String> LABELS = List.of("a=1", "a=2", "b=1", "b=2", "c=1");

        private final Random random;
        private final TreeMap<String, ClusterCidr> objects = new TreeMap<>();
        private final TreeMap<String, LabeledNode> nodes = new TreeMap<>();
        private final SlowClusterCidrs twin;
        private final List<String> differences = new ArrayList<>();
        private ClusterCidrView view;
        private int created;

        World(Random random) {
            this.random = random;
            var services = random.nextBoolean() ? List.of(randomPart("10.0.0.0/22", 26)) : List.<Prefix>of();
            this.view = ClusterCidrView.empty(services);
            this.twin = new SlowClusterCidrs(services);
        }

        void step() {
            switch (random.nextInt(10)) {
                case 0 -> createObject();
                case 1 -> deleteObject();
                case 2 -> relabel();
                case 3, 4 -> removeNode(randomName());
                default -> join();
            }
        }

        private void createObject() {
            var name = "cc-" + random.nextInt(6);
            if (objects.containsKey(name)) {
                return;
            }
            int families = random.nextInt(3);
            int hostBits = 4 + random.nextInt(3);
            var ipv4 = families == 1
                    ? ""
                    : randomPart("10.0.0.0/22", 24 + random.nextInt(3)).toString();
            var ipv6 = families == 0
                    ? ""
                    : randomPart("fd00::/118", 120 + random.nextInt(3)).toString();
            var spec = new ClusterCidrSpec(hostBits, ipv4, ipv6, randomSelector());
            var object = ClusterCidr.of(name, spec).withUid("uid-" + created++);
            objects.put(name, object.withFinalizer(true));
            enact(ClusterCidrEngine.register(view, object).changes());
            twin.put(object);
        }

        private Prefix randomPart(String whole, int length) {
            var parts = new Subdivision(Prefix.parse(whole), length);
            return parts.part(random.nextInt((int) parts.lastOrdinal() + 1));
        }

        private NodeSelector randomSelector() {
            if (random.nextInt(3) == 0) {
                return new NodeSelector.Absent();
            }
            var labels = new ArrayList<>(LABELS);
            Collections.shuffle(labels, random);
            return ClusterCidrCluster.labelled(
                    labels.subList(0, random.nextInt(3)).toArray(String[]::new));
        }

        private void deleteObject() {
            var name = "cc-" + random.nextInt(6);
            if (!objects.containsKey(name)) {
                return;
            }
            var object = objects.get(name).withTermination();
            objects.put(name, object);
            twin.put(object);
            retire(object);
        }

        private Retirement retire(ClusterCidr object) {
            var decision = ClusterCidrEngine.retire(view, object);
            enact(decision.changes());
            if (decision.outcome() instanceof Retired) {
                objects.remove(object.name());
                twin.remove(object.name());
            }
            return decision.outcome();
        }

        List<Retirement> retireAll() {
            return List.copyOf(objects.values()).stream()
                    .map(ClusterCidr::withTermination)
                    .map(this::retire)
                    .toList();
        }

        private String randomName() {
            return "node-" + random.nextInt(NAMES);
        }

        LabeledNode randomNode() {
            var labels = LABELS.stream().filter(_ -> random.nextBoolean()).toArray(String[]::new);
            return ClusterCidrCluster.aNode(randomName(), labels);
        }

        private void relabel() {
            var fresh = randomNode();
            nodes.computeIfPresent(fresh.name(), (_, node) -> new LabeledNode(node.entry(), fresh.labels()));
        }

        /// A node joins, or is looked at again. The write may fail, or its reply may be lost.
        private void join() {
            var fresh = randomNode();
            var node = nodes.computeIfAbsent(fresh.name(), _ -> fresh);
            var decision = ClusterCidrEngine.assign(view, node);
            enact(decision.changes());
            switch (decision.outcome()) {
                case Reserved(var reservation, var tries) -> {
                    if (!tries.isEmpty()) {
                        compare(twin.assign(node.name(), node.labels()), reservation.blocks());
                    }
                    write(node, reservation);
                }
                case NotAvailable(var name) -> compare(twin.assign(name, node.labels()), List.of());
                case Held _, NodeBlocks.Refused _ -> {}
            }
        }

        private void compare(List<Prefix> expected, List<Prefix> given) {
            if (!expected.equals(given)) {
                differences.add("the twin gives %s, not %s".formatted(expected, given));
            }
        }

        private void write(LabeledNode node, Reservation reservation) {
            var written = new LabeledNode(NodeEntry.of(node.name(), NodeBlocks.podCidrs(reservation)), node.labels());
            switch (random.nextInt(6)) {
                case 0 -> {
                    enact(ClusterCidrEngine.giveBack(view, reservation).changes());
                    twin.release(node.name());
                }
                case 1 -> {
                    // Neither written nor known not to be.
                }
                case 2 -> nodes.put(node.name(), written);
                default -> {
                    nodes.put(node.name(), written);
                    enact(ClusterCidrEngine.confirm(view, reservation).changes());
                }
            }
        }

        private void removeNode(String name) {
            nodes.remove(name);
            enact(ClusterCidrEngine.release(view, name).changes());
            view.findReservation(name)
                    .ifPresent(reservation ->
                            enact(ClusterCidrEngine.giveBack(view, reservation).changes()));
            twin.release(name);
        }

        void removeAllNodes() {
            for (int number = 0; number < NAMES; number++) {
                removeNode("node-" + number);
            }
        }

        private void enact(List<ClusterCidrChange> changes) {
            for (var change : changes) {
                view = view.with(change);
            }
        }
    }
}
