package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AssignRequest.Ask;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Whoever decides may die after any write. What he leaves is finished by whoever comes next.
class CrashTest {

    private static final Owner NODE_A = Owner.host("node-a");

    private static Decision<BlockChange, Assignment> firstAddress(World world) {
        return BlockEngine.assign(
                world.view(), world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h")));
    }

    private static World crashedInFirstAddress(int writes) {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.enactFirst(writes, firstAddress(world));
        return world;
    }

    private static void releaseHost(World world) {
        world.enact(
                BlockAffinities.releaseHost(
                        world.view(), NODE_A, Emptiness.NOT_REQUIRED, world.now()));
    }

    /// Each attempt that was lost has left one.
    @Test
    void affinitiesWithoutBlocksBringNoMoreBlocksThanTheLimit() {
        var world =
                World.with(pool("p", "10.0.0.0/24"))
                        .config(
                                IpamConfig.DEFAULT
                                        .withStrictAffinity(true)
                                        .withMaxBlocksPerHost(2));
        for (var cidr : List.of("10.0.0.0/26", "10.0.0.64/26", "10.0.0.128/26", "10.0.0.192/26")) {
            world.affinity(Affinity.pending(NODE_A, prefix(cidr)));
        }

        world.assign("node-a", 256);

        assertThat(world.blocks()).hasSize(2);
        assertThat(world.affinities("node-a")).hasSize(2);
    }

    @Test
    void affinityWithoutBlockIsStaleIfAnotherCreatedTheBlock() {
        var world = crashedInFirstAddress(1);
        world.block(
                Block.fresh(
                        prefix("10.0.0.128/26"),
                        Owner.host("node-b"),
                        new HostReserve.None(),
                        NOW));

        var given = world.assign("node-a", 1);

        assertThat(given).containsExactly("10.0.0.192");
        assertThat(world.affinities("node-a")).containsExactly("10.0.0.192/26 confirmed");
    }

    @Test
    void claimedBlockOfADeadHostIsReclaimedAfterAMinute() {
        var world = crashedInFirstAddress(2);
        world.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        world.assign("node-b", 192);
        var tooSoon = world.assign("node-b", 1);
        var later = world.later(Duration.ofSeconds(61)).assign("node-b", 1);

        assertThat(tooSoon).isEmpty();
        assertThat(later).containsExactly("10.0.0.128");
        assertThat(world.affinities("node-a")).isEmpty();
    }

    @Test
    void handleThatCountsTooManyIsMendedByItsRelease() {
        var world = crashedInFirstAddress(4);

        world.releaseByHandle("h");

        assertThat(world.view().handles()).isEmpty();
    }

    @Test
    void leakedAddressIsReleasedByItsHandle() {
        var world = crashedInFirstAddress(5);

        var release = world.releaseByHandle("h");

        assertThat(release.released()).hasSize(1);
        assertThat(world.view().handles()).isEmpty();
    }

    @Test
    void releaseThatStoppedBeforeTheHandleIsFinishedByAnother() {
        var world = crashedInFirstAddress(5);
        world.enactFirst(1, BlockReleases.releaseByHandle(world.view(), "h", world.now()));
        assertThat(world.view().handles()).hasSize(1);

        world.releaseByHandle("h");

        assertThat(world.view().handles()).isEmpty();
    }

    @Test
    void releaseOfABlockThatStoppedIsUndoneByItsOwnerOrFinished() {
        for (int writes = 1; writes <= 2; writes++) {
            for (boolean inUse : List.of(true, false)) {
                var used = stoppedRelease(writes, inUse);
                var given = used.assign("node-a", 1);
                assertThat(given).hasSize(1);
                assertThat(used.affinities("node-a"))
                        .hasSize(1)
                        .allMatch(text -> text.endsWith(" confirmed"));

                var finished = stoppedRelease(writes, inUse);
                releaseHost(finished);
                assertThat(finished.view().affinities()).isEmpty();
                assertThat(finished.blocks()).hasSize(inUse ? 1 : 0);
            }
        }
    }

    private static World stoppedRelease(int writes, boolean inUse) {
        var world = crashedInFirstAddress(5);
        if (!inUse) {
            world.releaseByHandle("h");
        }
        world.enactFirst(
                writes,
                BlockAffinities.releaseHost(
                        world.view(), NODE_A, Emptiness.NOT_REQUIRED, world.now()));
        return world;
    }

    @Test
    void loserOfARaceCleansUpAtHisNextAssignment() {
        var world = World.with(pool("p", "10.0.0.0/26"));
        world.assign("node-b", 1);
        world.affinity(Affinity.pending(NODE_A, prefix("10.0.0.0/26")));

        var given = world.assign("node-a", 1);

        assertThat(given).hasSize(1);
        assertThat(world.affinities("node-a")).isEmpty();
    }

    @Test
    void resumedClaimRewritesTheBlockSoThatWhoeverDeletesItFails() {
        var world = crashedInFirstAddress(2);
        var before = world.block("10.0.0.128/26");

        var decision = BlockEngine.assign(world.view(), world.request("node-a").ipv4(Ask.of(1)));

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
