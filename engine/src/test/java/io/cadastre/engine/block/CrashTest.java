package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A process may die after any write. The next one finishes what it leaves.
class CrashTest {

    private static final Owner NODE_A = Owner.host("node-a");

    private static Decision<BlockChange, Assignment> firstAddress(BlockCluster cluster) {
        return BlockEngine.assign(
                cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h")));
    }

    private static BlockCluster crashedInFirstAddress(int writes) {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.enactFirst(writes, firstAddress(cluster));
        return cluster;
    }

    private static void releaseHost(BlockCluster cluster) {
        cluster.enact(BlockEngine.releaseHost(
                cluster.view(), NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
    }

    /// Each attempt that was lost has left one.
    @Test
    void affinitiesWithoutBlocksBringNoMoreBlocksThanTheLimit() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true).withMaxBlocksPerHost(2));
        for (var cidr : List.of("10.0.0.0/26", "10.0.0.64/26", "10.0.0.128/26", "10.0.0.192/26")) {
            cluster.affinity(Affinity.pending(NODE_A, prefix(cidr)));
        }

        cluster.assign("node-a", 256);

        assertThat(cluster.blocks()).hasSize(2);
        assertThat(cluster.affinities("node-a")).hasSize(2);
    }

    @Test
    void blockWithoutAffinityCountsForTheLimitAndIsUsedAgain() {
        var cluster = forgettingItsOnlyBlock();

        var given = cluster.assign("node-a", 2);

        assertThat(given).containsExactly("10.0.0.64", "10.0.0.65");
        assertThat(cluster.blocks()).hasSize(1);
        assertThat(cluster.affinities("node-a")).containsExactly("10.0.0.64/26 confirmed");
    }

    @Test
    void blockWithoutAffinityThatIsFullCountsForTheLimit() {
        var cluster = forgettingItsOnlyBlock().reserve("10.0.0.64/26");

        var given = cluster.assign("node-a", 1);

        assertThat(given).isEmpty();
        assertThat(cluster.blocks()).hasSize(1);
    }

    @Test
    void affinityWithoutBlockBringsNoneBesideABlockWithoutAffinity() {
        var cluster = forgettingItsOnlyBlock().affinity(Affinity.pending(NODE_A, prefix("10.0.0.128/26")));

        cluster.assign("node-a", 1);

        assertThat(cluster.blocks()).hasSize(1);
        assertThat(cluster.affinities("node-a")).isEmpty();
    }

    /// The host may have one block, and has one to which it keeps no affinity.
    private static BlockCluster forgettingItsOnlyBlock() {
        return BlockCluster.with(pool("p", "10.0.0.0/24"))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true).withMaxBlocksPerHost(1))
                .block(Block.fresh(prefix("10.0.0.64/26"), NODE_A, new HostReserve.None(), NOW));
    }

    @Test
    void affinityWithoutBlockIsStaleIfAnotherCreatedTheBlock() {
        var cluster = crashedInFirstAddress(1);
        cluster.block(Block.fresh(prefix("10.0.0.128/26"), Owner.host("node-b"), new HostReserve.None(), NOW));

        var given = cluster.assign("node-a", 1);

        assertThat(given).containsExactly("10.0.0.192");
        assertThat(cluster.affinities("node-a")).containsExactly("10.0.0.192/26 confirmed");
    }

    @Test
    void claimedBlockOfADeadHostIsReclaimedAfterAMinute() {
        var cluster = crashedInFirstAddress(2);
        cluster.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        cluster.assign("node-b", 192);
        var tooSoon = cluster.assign("node-b", 1);
        var later = cluster.later(Duration.ofSeconds(61)).assign("node-b", 1);

        assertThat(tooSoon).isEmpty();
        assertThat(later).containsExactly("10.0.0.128");
        assertThat(cluster.affinities("node-a")).isEmpty();
    }

    @Test
    void handleThatCountsTooManyIsMendedByItsRelease() {
        var cluster = crashedInFirstAddress(4);

        cluster.releaseByHandle("h");

        assertThat(cluster.view().handles()).isEmpty();
    }

    @Test
    void leakedAddressIsReleasedByItsHandle() {
        var cluster = crashedInFirstAddress(5);

        var release = cluster.releaseByHandle("h");

        assertThat(release.released()).hasSize(1);
        assertThat(cluster.view().handles()).isEmpty();
    }

    @Test
    void releaseThatStoppedBeforeTheHandleIsFinishedByAnother() {
        var cluster = crashedInFirstAddress(5);
        cluster.enactFirst(1, BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.first(cluster.now())));
        assertThat(cluster.view().handles()).hasSize(1);

        cluster.releaseByHandle("h");

        assertThat(cluster.view().handles()).isEmpty();
    }

    @Test
    void releaseOfABlockThatStoppedIsUndoneByItsOwnerOrFinished() {
        for (int writes = 1; writes <= 2; writes++) {
            for (boolean inUse : List.of(true, false)) {
                var used = stoppedRelease(writes, inUse);
                var given = used.assign("node-a", 1);
                assertThat(given).hasSize(1);
                assertThat(used.affinities("node-a")).hasSize(1).allMatch(text -> text.endsWith(" confirmed"));

                var finished = stoppedRelease(writes, inUse);
                releaseHost(finished);
                assertThat(finished.view().affinities()).isEmpty();
                assertThat(finished.blocks()).hasSize(inUse ? 1 : 0);
            }
        }
    }

    private static BlockCluster stoppedRelease(int writes, boolean inUse) {
        var cluster = crashedInFirstAddress(5);
        if (!inUse) {
            cluster.releaseByHandle("h");
        }
        cluster.enactFirst(
                writes,
                BlockEngine.releaseHost(
                        cluster.view(), NODE_A, ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
        return cluster;
    }

    @Test
    void loserOfARaceCleansUpAtItsNextAssignment() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/26"));
        cluster.assign("node-b", 1);
        cluster.affinity(Affinity.pending(NODE_A, prefix("10.0.0.0/26")));

        var given = cluster.assign("node-a", 1);

        assertThat(given).hasSize(1);
        assertThat(cluster.affinities("node-a")).isEmpty();
    }

    @Test
    void resumedClaimRewritesTheBlockSoThatAConcurrentDeletionFails() {
        var cluster = crashedInFirstAddress(2);
        var before = cluster.block("10.0.0.128/26");

        var decision =
                BlockEngine.assign(cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)));

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(
                        BlockChange.PutAffinity.class,
                        BlockChange.UpdateBlock.class,
                        BlockChange.PutAffinity.class,
                        BlockChange.UpdateBlock.class);
        assertThat(((BlockChange.UpdateBlock) decision.changes().get(1)).after())
                .isEqualTo(before.written());
        assertThat(decision.because())
                .contains(new BlockReason.Resumed(prefix("10.0.0.128/26"), Affinity.State.PENDING));
    }
}
