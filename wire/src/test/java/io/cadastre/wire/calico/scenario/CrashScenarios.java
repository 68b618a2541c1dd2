package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process may die after any write. The next one finishes what it leaves.
public abstract class CrashScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String FIRST = "10.0.0.128/26";

    /// Where node-a stopped.
    enum Crash {
        AFFINITY_PENDING(0),
        BLOCK_CREATED(0),
        AFFINITY_CONFIRMED(0),
        HANDLE_COUNTED(0),
        ADDRESS_GIVEN(1),
        ADDRESS_RELEASED(0),
        EMPTY_BLOCK_ABOUT_TO_GO(0),
        EMPTY_BLOCK_GONE(0),
        USED_BLOCK_ABOUT_TO_GO(1),
        USED_BLOCK_WITHOUT_OWNER(1),
        CLAIM_LOST_TO_ANOTHER(1),
        TWO_BLOCKS_CLAIMED(0);

        private final int held;

        Crash(int held) {
            this.held = held;
        }
    }

    private ScenarioCluster after(Crash crash) {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        switch (crash) {
            case AFFINITY_PENDING -> dieInFirstAddress(cluster, 1);
            case BLOCK_CREATED -> dieInFirstAddress(cluster, 2);
            case AFFINITY_CONFIRMED -> dieInFirstAddress(cluster, 3);
            case HANDLE_COUNTED -> dieInFirstAddress(cluster, 4);
            case ADDRESS_GIVEN -> dieInFirstAddress(cluster, 5);
            case ADDRESS_RELEASED -> {
                dieInFirstAddress(cluster, 5);
                cluster.dieAfter(1, view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(cluster.now())));
            }
            case EMPTY_BLOCK_ABOUT_TO_GO -> dieInEmptyRelease(cluster, 1);
            case EMPTY_BLOCK_GONE -> dieInEmptyRelease(cluster, 2);
            case USED_BLOCK_ABOUT_TO_GO -> dieInRelease(cluster, 1);
            case USED_BLOCK_WITHOUT_OWNER -> dieInRelease(cluster, 2);
            case CLAIM_LOST_TO_ANOTHER -> {
                claim(cluster, FIRST, Owner.host("node-b"));
                cluster.assign("node-b", 1);
                cluster.write(new BlockChange.PutAffinity(Affinity.pending(NODE_A, prefix(FIRST))));
            }
            case TWO_BLOCKS_CLAIMED -> {
                claim(cluster, "10.0.0.0/26", NODE_A);
                claim(cluster, "10.0.0.64/26", NODE_A);
            }
        }
        return cluster;
    }

    private static void claim(ScenarioCluster cluster, String cidr, Owner owner) {
        cluster.enact(view -> BlockEngine.claimAffinity(view, new ClaimRequest(prefix(cidr), owner, cluster.now())));
    }

    private static void dieInFirstAddress(ScenarioCluster cluster, int writes) {
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        cluster.dieAfter(writes, view -> BlockEngine.assign(view, request));
    }

    private static void dieInEmptyRelease(ScenarioCluster cluster, int writes) {
        dieInFirstAddress(cluster, 5);
        cluster.releaseByHandle("h");
        releaseHost(cluster, writes);
    }

    private static void dieInRelease(ScenarioCluster cluster, int writes) {
        dieInFirstAddress(cluster, 5);
        releaseHost(cluster, writes);
    }

    private static void releaseHost(ScenarioCluster cluster, int writes) {
        cluster.dieAfter(
                writes,
                view -> BlockEngine.releaseHost(
                        view, NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: the same host gets an address and has what it claims")
    void sameHostGoesOn(Crash crash) {
        var cluster = after(crash);

        var given = cluster.assign("node-a", 1);

        assertThat(given).hasSize(1);
        assertThat(cluster.affinities("node-a"))
                .isNotEmpty()
                .allMatch(text -> text.endsWith(" confirmed"))
                .allMatch(text -> cluster.block(text.replace(" confirmed", "")).ownedBy(NODE_A));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: another host gets all free addresses")
    void otherHostIsNotHindered(Crash crash) {
        var cluster = after(crash);

        var given = cluster.assign("node-b", 256);

        assertThat(given).doesNotHaveDuplicates().hasSize(256 - crash.held);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: when the host is removed, only what is held remains")
    void removedHostLeavesOnlyHeldAddresses(Crash crash) {
        var cluster = after(crash);

        cluster.enact(view ->
                BlockEngine.releaseHost(view, NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));

        assertThat(cluster.affinities("node-a")).isEmpty();
        assertThat(cluster.view().blocks(Family.IPV4)).hasSize(crash.held).noneMatch(block -> block.ownedBy(NODE_A));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: a holder can release its addresses by its handle")
    void handleGivesBackWhatItHolds(Crash crash) {
        var cluster = after(crash);

        cluster.releaseByHandle("h");

        assertThat(cluster.view().handles()).isEmpty();
        assertThat(cluster.view().blocks(Family.IPV4))
                .allMatch(block -> block.addressesOf("h").isEmpty());
    }
}
