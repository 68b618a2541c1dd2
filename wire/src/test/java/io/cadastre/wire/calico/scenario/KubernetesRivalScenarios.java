package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSurvey;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Several clients that write one document after another, one of them slow.
abstract class KubernetesRivalScenarios extends ScenarioContract {

    private static final int CLIENTS = 16;

    abstract KubernetesPlace place();

    @Override
    protected ScenarioStore open() {
        return place().ground();
    }

    /// Eight addresses in two blocks.
    private ScenarioCluster small() {
        return cluster(pool("p", "10.0.0.0/29", 30));
    }

    private static void pauseBefore(ScenarioCluster cluster, int write, Runnable meanwhile) {
        for (int before = 1; before < write; before++) {
            cluster.trial().beforeNextCommit(() -> {});
        }
        cluster.trial().beforeNextCommit(meanwhile);
    }

    /// Others on the same node and on another come and go, and keep four addresses.
    private static Map<String, List<String>> others(ScenarioCluster cluster) {
        var held = new HashMap<String, List<String>>();
        var same = cluster.rival();
        var other = cluster.rival();
        take(same, "node-a", "same-0", held);
        take(other, "node-b", "other-0", held);
        take(same, "node-a", "same-1", held);
        same.releaseByHandle("same-0");
        held.remove("same-0");
        take(other, "node-a", "other-1", held);
        other.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-b"), ReleaseCondition.NOT_REQUIRED, Attempts.first(other.now())));
        take(same, "node-b", "same-2", held);
        return held;
    }

    private static void take(ScenarioCluster cluster, String node, String handle, Map<String, List<String>> held) {
        held.put(handle, cluster.assign(node, 1, handle));
    }

    /// Every client has the addresses of its answer, and no others are given.
    private static void check(ScenarioCluster cluster, Map<String, List<String>> told) {
        var view = cluster.view();
        assertThat(BlockSurvey.of(view)).isEmpty();
        assertThat(told.values().stream().flatMap(List::stream)).doesNotHaveDuplicates();
        told.forEach((handle, addresses) -> assertThat(held(view, handle)).isEqualTo(addresses));
        assertThat(view.blocks(Family.IPV4).stream()
                        .mapToInt(b -> b.size() - b.freeCount())
                        .sum())
                .isEqualTo(told.values().stream().mapToInt(List::size).sum());
    }

    private static List<String> held(BlockView view, String handle) {
        return view.blocks(Family.IPV4).stream()
                .flatMap(block -> block.addressesOf(handle).stream())
                .map(Address::toString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void clientPausedBeforeAWriteGetsAnAddressOfItsOwn(int write) {
        var cluster = small();
        var told = new HashMap<String, List<String>>();
        pauseBefore(cluster, write, () -> told.putAll(others(cluster)));

        told.put("mine", cluster.assign("node-a", 1, "mine"));

        assertThat(told).hasSize(5);
        assertThat(told.get("mine")).hasSize(1);
        check(cluster, told);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void clientWithoutAHandleGetsAnAddressOfItsOwnToo(int write) {
        var cluster = small();
        var told = new HashMap<String, List<String>>();
        pauseBefore(cluster, write, () -> told.putAll(others(cluster)));

        told.put("", cluster.assign("node-a", 1));

        assertThat(told).hasSize(5);
        assertThat(told.get("")).hasSize(1);
        check(cluster, told);
    }

    /// A write that is not answered arrives later, among the readings of the next attempt or after the
    /// request was answered.
    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "1,99", "2,1", "2,4", "2,99", "3,1", "3,2", "3,5", "3,99", "4,1", "4,99"})
    void lateWriteGivesNothingTwice(int write, int reading) {
        var cluster = small();
        var told = new HashMap<String, List<String>>();
        pauseBefore(cluster, write, () -> cluster.trial().holdNextRequest(reading));

        told.put("mine", cluster.assign("node-a", 1, "mine"));
        told.putAll(others(cluster));
        cluster.trial().arrive();

        assertThat(told.get("mine")).hasSize(1);
        check(cluster, told);
    }

    @Test
    void sixteenClientsGetDistinctAddresses() throws Exception {
        try (var callers = KubernetesCrowd.gather(place(), CLIENTS, "10.0.0.0/22", _ -> {})) {
            var told = callers.take(5 * CLIENTS).addresses();

            assertThat(told).doesNotHaveDuplicates().hasSize(5 * CLIENTS);
            assertThat(callers.held()).containsExactlyInAnyOrderElementsOf(told);
            assertThat(new ArrayList<>(BlockSurvey.of(callers.view()))).isEmpty();
        }
    }
}
