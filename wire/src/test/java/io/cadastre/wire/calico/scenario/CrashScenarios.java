package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.ClaimRequest;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.Owner;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whoever decides may die after any write. What he leaves is finished by whoever comes next.
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

    private World after(Crash crash) {
        var world = world(pool("p", "10.0.0.0/24"));
        switch (crash) {
            case AFFINITY_PENDING -> dieInFirstAddress(world, 1);
            case BLOCK_CREATED -> dieInFirstAddress(world, 2);
            case AFFINITY_CONFIRMED -> dieInFirstAddress(world, 3);
            case HANDLE_COUNTED -> dieInFirstAddress(world, 4);
            case ADDRESS_GIVEN -> dieInFirstAddress(world, 5);
            case ADDRESS_RELEASED -> {
                dieInFirstAddress(world, 5);
                world.dieAfter(1, view -> BlockReleases.releaseByHandle(view, "h", world.now()));
            }
            case EMPTY_BLOCK_ABOUT_TO_GO -> dieInEmptyRelease(world, 1);
            case EMPTY_BLOCK_GONE -> dieInEmptyRelease(world, 2);
            case USED_BLOCK_ABOUT_TO_GO -> dieInRelease(world, 1);
            case USED_BLOCK_WITHOUT_OWNER -> dieInRelease(world, 2);
            case CLAIM_LOST_TO_ANOTHER -> {
                claim(world, FIRST, Owner.host("node-b"));
                world.assign("node-b", 1);
                world.write(new BlockChange.PutAffinity(Affinity.pending(NODE_A, prefix(FIRST))));
            }
            case TWO_BLOCKS_CLAIMED -> {
                claim(world, "10.0.0.0/26", NODE_A);
                claim(world, "10.0.0.64/26", NODE_A);
            }
        }
        return world;
    }

    private static void claim(World world, String cidr, Owner owner) {
        world.enact(
                view ->
                        BlockAffinities.claim(
                                view, new ClaimRequest(prefix(cidr), owner, world.now())));
    }

    private static void dieInFirstAddress(World world, int writes) {
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        world.dieAfter(writes, view -> BlockEngine.assign(view, request));
    }

    private static void dieInEmptyRelease(World world, int writes) {
        dieInFirstAddress(world, 5);
        world.releaseByHandle("h");
        releaseHost(world, writes);
    }

    private static void dieInRelease(World world, int writes) {
        dieInFirstAddress(world, 5);
        releaseHost(world, writes);
    }

    private static void releaseHost(World world, int writes) {
        world.dieAfter(
                writes,
                view ->
                        BlockAffinities.releaseHost(
                                view, NODE_A, Emptiness.NOT_REQUIRED, world.now()));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: the same host gets an address and has what it claims")
    void sameHostGoesOn(Crash crash) {
        var world = after(crash);

        var given = world.assign("node-a", 1);

        assertThat(given).hasSize(1);
        assertThat(world.affinities("node-a"))
                .isNotEmpty()
                .allMatch(text -> text.endsWith(" confirmed"))
                .allMatch(text -> world.block(text.replace(" confirmed", "")).ownedBy(NODE_A));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: another host gets all that nobody holds")
    void otherHostIsNotHindered(Crash crash) {
        var world = after(crash);

        var given = world.assign("node-b", 256);

        assertThat(given).doesNotHaveDuplicates().hasSize(256 - crash.held);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: when the host is removed, only what is held remains")
    void removedHostLeavesOnlyWhatIsHeld(Crash crash) {
        var world = after(crash);

        world.enact(
                view ->
                        BlockAffinities.releaseHost(
                                view, NODE_A, Emptiness.NOT_REQUIRED, world.now()));

        assertThat(world.affinities("node-a")).isEmpty();
        assertThat(world.view().blocks(Family.IPV4))
                .hasSize(crash.held)
                .noneMatch(block -> block.ownedBy(NODE_A));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("CAL-95: whoever holds something can give it back by his handle")
    void handleGivesBackWhatItHolds(Crash crash) {
        var world = after(crash);

        world.releaseByHandle("h");

        assertThat(world.view().handles()).isEmpty();
        assertThat(world.view().blocks(Family.IPV4))
                .allMatch(block -> block.addressesOf("h").isEmpty());
    }
}
