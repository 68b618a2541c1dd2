package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/// What is written, in which order, and how often the store is asked. What Calico needs is the bound.
public abstract class TrafficScenarios extends ScenarioContract {

    private static final Owner NODE_A = Owner.host("node-a");
    private static final String CLAIM = "affinity pending, block created, affinity confirmed";
    private static final String GIVE = "handle written, block updated";

    /// The block is created empty, and gives the address in a write of its own.
    private static final String CLAIM_AND_GIVE_STEPS =
            "affinity of node-a, block, affinity of node-a, handle, block";

    /// The block is there already, and one write confirms it and gives the address.
    private static final String USE_AGAIN_STEPS =
            "affinity of node-a, handle, block, affinity of node-a";

    /// @param writes what is written, in order
    /// @param reads how often the store was read
    private record Traffic(String writes, int reads) {}

    /// @param steps whose documents a store without transactions is given, one after another. One with
    ///     transactions is given each of them once, together
    private static <O> Traffic traffic(
            World world, String steps, Function<BlockView, Decision<BlockChange, O>> law) {
        var decision = world.explain(law);
        world.trial().takeReadings();
        world.trial().takeWritten();

        world.enact(law);

        int reads = world.trial().takeReadings();
        var written = world.trial().takeWritten().stream().map(TrafficScenarios::kind).toList();
        if (world.store().atomic()) {
            assertThat(written)
                    .containsOnlyOnceElementsOf(
                            decision.changes().stream()
                                    .map(TrafficScenarios::kind)
                                    .distinct()
                                    .toList());
        } else {
            assertThat(String.join(", ", written)).isEqualTo(steps);
        }
        return new Traffic(
                String.join(
                        ", ", decision.changes().stream().map(TrafficScenarios::words).toList()),
                reads);
    }

    /// Whose document it is.
    private static String kind(String key) {
        return switch (CalicoKeys.parse(key).orElseThrow()) {
            case CalicoKey.OfAffinity(var owner, _) -> "affinity of " + owner.name();
            case CalicoKey.OfBlock _ -> "block";
            case CalicoKey.OfHandle _ -> "handle";
            case CalicoKey other -> other.toString();
        };
    }

    private static String kind(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) -> "affinity of " + affinity.owner().name();
            case BlockChange.DropAffinity(var owner, _) -> "affinity of " + owner.name();
            case BlockChange.PutBlock _, BlockChange.DropBlock _ -> "block";
            case BlockChange.PutHandle _, BlockChange.DropHandle _ -> "handle";
            case BlockChange.PutConfig _, BlockChange.DropHostRecord _ -> change.sentence();
        };
    }

    private static String words(BlockChange change) {
        return switch (change) {
            case BlockChange.PutAffinity(var affinity) -> "affinity " + affinity.state().word();
            case BlockChange.DropAffinity _ -> "affinity deleted";
            case BlockChange.CreateBlock _ -> "block created";
            case BlockChange.UpdateBlock _ -> "block updated";
            case BlockChange.DropBlock _ -> "block deleted";
            case BlockChange.PutHandle _ -> "handle written";
            case BlockChange.DropHandle _ -> "handle deleted";
            case BlockChange.PutConfig _, BlockChange.DropHostRecord _ -> change.sentence();
        };
    }

    private static Function<BlockView, Decision<BlockChange, Assignment>> address(
            World world, String handle) {
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of(handle));
        return view -> BlockEngine.assign(view, request);
    }

    private static Traffic surrender(World world) {
        return traffic(
                world,
                "affinity of node-a, block, affinity of node-a",
                view ->
                        BlockAffinities.releaseHost(
                                view, NODE_A, Emptiness.NOT_REQUIRED, world.now()));
    }

    private static Traffic releaseByHandle(World world) {
        return traffic(
                world,
                "block, handle",
                view -> BlockReleases.releaseByHandle(view, "h", world.now()));
    }

    private World holding() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "h");
        return world;
    }

    @Test
    @DisplayName("CAL-131: the first address of a host, and the next")
    void firstAddressAndTheNext() {
        var world = world(pool("p", "10.0.0.0/24"));

        var first = traffic(world, CLAIM_AND_GIVE_STEPS, address(world, "h"));
        var next = traffic(world, "handle, block", address(world, "i"));

        assertThat(first.writes()).isEqualTo(CLAIM + ", " + GIVE);
        assertThat(first.reads()).isLessThanOrEqualTo(9);
        assertThat(next.writes()).isEqualTo(GIVE);
        assertThat(next.reads()).isLessThanOrEqualTo(8);
    }

    @Test
    @DisplayName("CAL-131: an address given back by its handle")
    void addressGivenBackByItsHandle() {
        var world = holding();

        var traffic = releaseByHandle(world);

        assertThat(traffic.writes()).isEqualTo("block updated, handle deleted");
        assertThat(traffic.reads()).isLessThanOrEqualTo(6);
    }

    @Test
    @DisplayName("CAL-131: an address given back by its name")
    void addressGivenBackByItsName() {
        var world = holding();
        var options = List.of(ReleaseOption.of("10.0.0.128"));

        var traffic =
                traffic(
                        world,
                        "block, handle",
                        view -> BlockReleases.release(view, options, world.now()));

        assertThat(traffic.writes()).isEqualTo("block updated, handle deleted");
        assertThat(traffic.reads()).isLessThanOrEqualTo(6);
    }

    @Test
    @DisplayName("CAL-131: a host gives up a block in use, whose last address then goes with it")
    void blockInUseIsGivenUp() {
        var world = holding();

        var surrender = surrender(world);
        var last = releaseByHandle(world);

        assertThat(surrender.writes())
                .isEqualTo("affinity pendingDeletion, block updated, affinity deleted");
        assertThat(last.writes()).isEqualTo("block deleted, handle deleted");
    }

    @Test
    @DisplayName("CAL-131: a host gives up an empty block")
    void emptyBlockIsGivenUp() {
        var world = holding();
        world.releaseByHandle("h");

        var surrender = surrender(world);

        assertThat(surrender.writes())
                .isEqualTo("affinity pendingDeletion, block deleted, affinity deleted");
    }

    @Test
    @DisplayName("CAL-131: a block that was about to be given up is used again")
    void blockThatWasAboutToGoIsUsedAgain() {
        var world = holding();
        world.affinity(
                new Affinity(NODE_A, prefix("10.0.0.128/26"), Affinity.State.PENDING_DELETION));

        var traffic = traffic(world, USE_AGAIN_STEPS, address(world, "i"));

        assertThat(traffic.writes())
                .isEqualTo("affinity pending, block updated, affinity confirmed, " + GIVE);
    }

    @Test
    @DisplayName("CAL-131: an empty block of another is taken")
    void emptyBlockOfAnotherIsTaken() {
        var world = world(pool("p", "10.0.0.0/26"));
        world.assign("node-b", 1, "h");
        world.releaseByHandle("h");
        world.config(IpamConfig.DEFAULT.withStrictAffinity(true)).later(Duration.ofSeconds(61));
        var address = address(world, "i");

        var traffic =
                traffic(
                        world,
                        "affinity of node-b, affinity of node-a, handle, block, affinity of"
                                + " node-b, affinity of node-a",
                        view -> address.apply(listed(view)));

        assertThat(traffic.writes())
                .isEqualTo(
                        "affinity pendingDeletion, block deleted, affinity deleted, "
                                + CLAIM
                                + ", "
                                + GIVE);
        assertThat(traffic.reads()).isLessThanOrEqualTo(9);
    }

    /// Whoever has not listed the blocks tries first to create one that is there.
    private static BlockView listed(BlockView view) {
        assertThat(view.blocks(Family.IPV4)).hasSize(1);
        return view;
    }
}
