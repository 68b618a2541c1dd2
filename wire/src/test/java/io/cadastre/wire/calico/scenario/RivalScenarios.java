package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.AffinityRelease;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.registry.UnsettledException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// Several processes at one store, which come in each other's way.
public abstract class RivalScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String BLOCK = "10.0.0.128/26";

    private static Function<BlockView, Decision<BlockChange, Assignment>> address(World world) {
        return view -> BlockEngine.assign(view, world.request("node-a").ipv4(Ask.of(1)));
    }

    private static Function<BlockView, Decision<BlockChange, AffinityRelease>> surrender(
            World world, Emptiness emptiness) {
        return view -> BlockAffinities.releaseHost(view, NODE_A, emptiness, world.now());
    }

    private World claimedByNodeA() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "h");
        world.releaseByHandle("h");
        return world;
    }

    private static void takeBack(World world) {
        world.write(
                new BlockChange.PutAffinity(
                        new Affinity(NODE_A, prefix(BLOCK), Affinity.State.PENDING_DELETION)));
    }

    @Test
    @DisplayName("CAL-90: a claim is not confirmed if its affinity is taken back meanwhile")
    void claimIsNotConfirmedIfItsAffinityIsTakenBackMeanwhile() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.dieAfter(1, address(world));
        var claim = world.decided(address(world));
        takeBack(world);

        var commit = claim.save();

        assertThat(commit).isNotInstanceOf(Commit.Done.class);
        assertThat(world.affinities("node-a")).containsExactly(BLOCK + " pendingDeletion");
    }

    @Test
    @DisplayName("CAL-90: whoever lost such a claim makes it again, and then it is confirmed")
    void claimThatWasTakenBackIsMadeAgain() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.dieAfter(1, address(world));
        world.trial().beforeNextCommit(() -> takeBack(world));

        var given = world.assign("node-a", 1);

        assertThat(given).containsExactly("10.0.0.128");
        assertThat(world.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-91: a block that is claimed again while it is given up stays")
    void blockThatIsClaimedAgainWhileItIsGivenUpStays() {
        var world = claimedByNodeA();
        var release = world.decided(surrender(world, Emptiness.REQUIRED));
        var rival = world.rival().later(Duration.ofSeconds(1));
        rival.enact(surrender(rival, Emptiness.REQUIRED));
        rival.assign("node-a", 1);
        var made = rival.block(BLOCK);

        var commit = release.save();

        assertThat(commit).isNotInstanceOf(Commit.Done.class);
        assertThat(world.block(BLOCK)).isEqualTo(made);
        assertThat(world.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-91: whoever lost such a release looks again and finds the block in use")
    void lostReleaseFindsTheBlockInUse() {
        var world = claimedByNodeA();
        var rival = world.rival();
        world.trial()
                .beforeNextCommit(
                        () -> {
                            rival.enact(surrender(rival, Emptiness.REQUIRED));
                            rival.assign("node-a", 1);
                        });

        var release = world.enact(surrender(world, Emptiness.REQUIRED));

        assertThat(((AffinityRelease.Stopped) release).refusal().sentence())
                .isEqualTo("block '10.0.0.128/26' is not empty");
        assertThat(world.affinities("node-a")).containsExactly(BLOCK + " confirmed");
    }

    @Test
    @DisplayName("CAL-92: a block from which somebody takes while it is given up keeps his address")
    void blockKeepsTheAddressThatWasTakenWhileItWasGivenUp() {
        var world = claimedByNodeA();
        var rival = world.rival();
        world.trial().beforeNextCommit(() -> rival.assign("node-a", 1, "late"));

        var release = world.enact(surrender(world, Emptiness.NOT_REQUIRED));

        assertThat(release).isEqualTo(new AffinityRelease.Done(List.of(prefix(BLOCK))));
        assertThat(world.block(BLOCK).owner()).isEmpty();
        assertThat(world.block(BLOCK).addressesOf("late")).hasSize(1);
        assertThat(world.affinities("node-a")).isEmpty();
    }

    @Test
    @DisplayName("CAL-93: processes of one host that ask at the same time get different addresses")
    void processesOfOneHostGetDifferentAddresses() throws Exception {
        var world = world(pool("p", "10.0.0.0/25"));
        var given = new ArrayList<String>();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Assignment>>();
            for (int process = 0; process < 4; process++) {
                var rival = world.rival();
                var request = rival.request("node-a").ipv4(Ask.of(1));
                answers.add(
                        threads.submit(
                                () ->
                                        rival.settle(
                                                (view, lost) ->
                                                        BlockEngine.assign(
                                                                view, request.after(lost)))));
            }
            for (var answer : answers) {
                given.addAll(World.texts(answer.get()));
            }
        }

        assertThat(given).doesNotHaveDuplicates().hasSize(4);
        assertThat(world.affinities("node-a"))
                .isNotEmpty()
                .allMatch(text -> text.endsWith(" confirmed"));
        assertThat(world.affinities("node-a")).hasSameSizeAs(world.blocks());
    }

    @Test
    @DisplayName("CAL-94: an empty block that is used again before it is taken is not taken")
    void emptyBlockThatIsUsedAgainIsNotTaken() {
        var world = emptyBlockOfNodeB();
        var rival = world.rival();
        world.trial().beforeNextCommit(() -> rival.assign("node-b", 1, "again"));

        var assignment = world.assign(world.request("node-a").ipv4(Ask.of(1)));

        assertThat(assignment).isInstanceOf(Assignment.Done.class);
        assertThat(assignment.addresses()).isEmpty();
        assertThat(world.affinities("node-a")).isEmpty();
        assertThat(world.affinities("node-b")).containsExactly("10.0.0.0/26 confirmed");
    }

    @Test
    @DisplayName("CAL-94: whoever is not answered in time while he takes a block is told so")
    void whoeverIsNotAnsweredWhileHeTakesABlockIsToldSo() {
        var world = emptyBlockOfNodeB();
        world.trial().loseAllRequests();

        assertThatExceptionOfType(UnsettledException.class)
                .isThrownBy(() -> world.assign("node-a", 1));
        assertThat(world.affinities("node-a")).isEmpty();
        assertThat(world.affinities("node-b")).containsExactly("10.0.0.0/26 confirmed");
    }

    private World emptyBlockOfNodeB() {
        var world = world(pool("p", "10.0.0.0/26"));
        world.assign("node-b", 1, "h");
        world.releaseByHandle("h");
        return world.config(IpamConfig.DEFAULT.withStrictAffinity(true))
                .later(Duration.ofSeconds(61));
    }
}
