package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Configuration;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.wire.calico.CalicoKeys;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Blocks leased and given up.
public abstract class AffinityScenarios extends ScenarioContract {

    private static final Owner HOST_A = Owner.host("host-a");
    private static final Owner HOST_B = Owner.host("host-b");

    private static AffinityClaim claim(ScenarioCluster cluster, String cidr, Owner owner) {
        return cluster.enact(
                view -> BlockEngine.claimAffinity(view, new ClaimRequest(prefix(cidr), owner, cluster.now())));
    }

    private static AffinityRelease release(ScenarioCluster cluster, String cidr, ReleaseCondition condition) {
        return cluster.enact(view ->
                BlockEngine.releaseAffinity(view, prefix(cidr), "host-a", condition, Attempts.first(cluster.now())));
    }

    private static List<Integer> sizes(AffinityClaim claim) {
        var claimed = (AffinityClaim.Claimed) claim;
        return List.of(claimed.claimed().size(), claimed.failed().size());
    }

    @Test
    @DisplayName("CAL-78: all blocks of a prefix are claimed, except those of others")
    void blocksOfAPrefixAreClaimed() {
        var cluster = cluster(pool("p", "192.168.1.0/24"), pool("q", "10.0.0.0/24"));
        cluster.assignAddress("host-a", "10.0.0.1", "h");

        var one = claim(cluster, "192.168.1.0/26", HOST_A);
        var small = claim(cluster, "192.168.1.0/27", HOST_A);
        var besideA = claim(cluster, "10.0.0.0/24", HOST_B);
        var wholeForA = claim(cluster, "192.168.1.0/24", HOST_A);
        var nothingForB = claim(cluster, "192.168.1.0/24", HOST_B);

        assertThat(sizes(one)).containsExactly(1, 0);
        assertThat(((AffinityClaim.Refused) small).refusal().sentence())
                .isEqualTo("The requested CIDR (192.168.1.0/27) is smaller than the minimum.");
        assertThat(sizes(besideA)).containsExactly(3, 1);
        assertThat(sizes(wholeForA)).containsExactly(4, 0);
        assertThat(sizes(nothingForB)).containsExactly(0, 4);
        assertThat(cluster.affinities("host-b")).hasSize(3);
    }

    @Test
    @DisplayName("CAL-79, CAL-80: a block in use is not given up if it must be empty")
    void blockInUseIsNotGivenUp() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("host-a", "10.0.0.1", "h");

        var inUse = release(cluster, "10.0.0.0/24", ReleaseCondition.REQUIRED);
        var alone = cluster.enact(view ->
                BlockEngine.releaseBlock(view, prefix("10.0.0.0/26"), ReleaseCondition.REQUIRED, cluster.now()));
        var affinitiesBefore = cluster.affinities("host-a");
        cluster.releaseByHandle("h");
        var empty = release(cluster, "10.0.0.0/24", ReleaseCondition.REQUIRED);

        assertThat(((AffinityRelease.Stopped) inUse).refusal().sentence())
                .isEqualTo("block '10.0.0.0/26' is not empty");
        assertThat(((AffinityRelease.Stopped) alone).refusal().sentence())
                .isEqualTo("block '10.0.0.0/26' is not empty");
        assertThat(affinitiesBefore).containsExactly("10.0.0.0/26 confirmed");
        assertThat(empty).isEqualTo(new AffinityRelease.Done(List.of(prefix("10.0.0.0/26"))));
        assertThat(cluster.blocks()).isEmpty();
        assertThat(cluster.affinities("host-a")).isEmpty();
    }

    @Test
    @DisplayName("CAL-81: old data: an affinity for a block without an owner goes with the pool")
    void blockWithoutOwnerGoesWithThePool() {
        var cluster = cluster(pool("p", "10.0.0.0/16"));
        cluster.affinity(new Affinity(HOST_A, prefix("10.0.0.0/30"), Affinity.State.CONFIRMED));
        cluster.block(
                Block.stored(prefix("10.0.0.0/30")).unallocated(0, 1, 2, 3).build());

        cluster.enact(view -> BlockEngine.releasePool(view, prefix("10.0.0.0/16"), Attempts.first(cluster.now())));

        assertThat(cluster.blocks()).isEmpty();
        assertThat(cluster.view().affinities()).isEmpty();
    }

    @Test
    @DisplayName("CAL-82: a host and something virtual of the same name are not the same")
    void hostAndVirtualAreApart() {
        var cluster = cluster(pool("p", "10.1.0.0/16"));
        var virtual = Owner.virtual("host-a");

        for (int round = 0; round < 2; round++) {
            assertThat(sizes(claim(cluster, "10.1.0.0/26", HOST_A))).containsExactly(1, 0);
            assertThat(sizes(claim(cluster, "10.1.1.0/26", virtual))).containsExactly(1, 0);
        }
        cluster.enact(view ->
                BlockEngine.releaseHost(view, virtual, ReleaseCondition.REQUIRED, Attempts.first(cluster.now())));
        var second = cluster.explain(view ->
                BlockEngine.releaseHost(view, virtual, ReleaseCondition.REQUIRED, Attempts.first(cluster.now())));

        assertThat(cluster.blocks()).containsExactly("10.1.0.0/26");
        assertThat(cluster.affinities("host-a")).containsExactly("10.1.0.0/26 confirmed");
        assertThat(second.outcome()).isEqualTo(new AffinityRelease.Done(List.of()));
        assertThat(second.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-83: an unknown host can be removed")
    void unknownHostCanBeRemoved() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var decision = cluster.explain(
                view -> BlockEngine.removeHost(view, Owner.host("x"), Attempts.first(ScenarioCluster.NOW)));

        assertThat(decision.outcome()).isEqualTo(new AffinityRelease.Done(List.of()));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-87 to CAL-89: configuration")
    void configuration() {
        var cluster = cluster();
        var strict = IpamConfig.DEFAULT.withStrictAffinity(true).withAutoAllocateBlocks(false);

        var missing = cluster.see(BlockView::config);
        var missingYet = cluster.store().get(CalicoKeys.CONFIG);
        var same = cluster.explain(view -> BlockSettings.configure(view, IpamConfig.DEFAULT));
        var neither = cluster.explain(
                view -> BlockSettings.configure(view, IpamConfig.DEFAULT.withAutoAllocateBlocks(false)));
        var limit = cluster.explain(view -> BlockSettings.configure(view, IpamConfig.DEFAULT.withMaxBlocksPerHost(2)));
        cluster.enact(view -> BlockSettings.configure(view, strict));

        assertThat(missing).isEqualTo(IpamConfig.DEFAULT);
        assertThat(missingYet).isEmpty();
        assertThat(same.changes()).isEmpty();
        assertThat(((Configuration.Refused) neither.outcome()).refusal().sentence())
                .isEqualTo("Cannot disable 'StrictAffinity' and 'AutoAllocateBlocks' at the same" + " time");
        assertThat(((Configuration.Refused) limit.outcome()).refusal().sentence())
                .isEqualTo("MaxBlocksPerHost requires StrictAffinity to be enabled");
        assertThat(cluster.view().config()).isEqualTo(strict);
        cluster.put(CalicoKeys.CONFIG, Bytes.ofUtf8("{}"));
        assertThat(cluster.view().config().autoAllocateBlocks()).isFalse();
    }
}
