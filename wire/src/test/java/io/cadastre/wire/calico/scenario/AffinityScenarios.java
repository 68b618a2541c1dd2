package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.AffinityClaim;
import io.cadastre.engine.block.AffinityRelease;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.ClaimRequest;
import io.cadastre.engine.block.Configuration;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoKeys;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Blocks leased and given up.
public abstract class AffinityScenarios extends ScenarioContract {

    private static final Owner HOST_A = Owner.host("host-a");
    private static final Owner HOST_B = Owner.host("host-b");

    private static AffinityClaim claim(World world, String cidr, Owner owner) {
        return world.enact(
                view ->
                        BlockAffinities.claim(
                                view, new ClaimRequest(prefix(cidr), owner, world.now())));
    }

    private static AffinityRelease release(World world, String cidr, Emptiness emptiness) {
        return world.enact(
                view ->
                        BlockAffinities.release(
                                view, prefix(cidr), "host-a", emptiness, world.now()));
    }

    private static List<Integer> sizes(AffinityClaim claim) {
        var claimed = (AffinityClaim.Claimed) claim;
        return List.of(claimed.claimed().size(), claimed.failed().size());
    }

    @Test
    @DisplayName("CAL-78: all blocks of a prefix are claimed, except those of others")
    void blocksOfAPrefixAreClaimed() {
        var world = world(pool("p", "192.168.1.0/24"), pool("q", "10.0.0.0/24"));
        world.assignAddress("host-a", "10.0.0.1", "h");

        var one = claim(world, "192.168.1.0/26", HOST_A);
        var small = claim(world, "192.168.1.0/27", HOST_A);
        var besideA = claim(world, "10.0.0.0/24", HOST_B);
        var wholeForA = claim(world, "192.168.1.0/24", HOST_A);
        var nothingForB = claim(world, "192.168.1.0/24", HOST_B);

        assertThat(sizes(one)).containsExactly(1, 0);
        assertThat(((AffinityClaim.Refused) small).refusal().sentence())
                .isEqualTo("The requested CIDR (192.168.1.0/27) is smaller than the minimum.");
        assertThat(sizes(besideA)).containsExactly(3, 1);
        assertThat(sizes(wholeForA)).containsExactly(4, 0);
        assertThat(sizes(nothingForB)).containsExactly(0, 4);
        assertThat(world.affinities("host-b")).hasSize(3);
    }

    @Test
    @DisplayName("CAL-79, CAL-80: a block in use is not given up if it must be empty")
    void blockInUseIsNotGivenUp() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.assignAddress("host-a", "10.0.0.1", "h");

        var inUse = release(world, "10.0.0.0/24", Emptiness.REQUIRED);
        var alone =
                world.enact(
                        view ->
                                BlockAffinities.releaseBlock(
                                        view,
                                        prefix("10.0.0.0/26"),
                                        Emptiness.REQUIRED,
                                        world.now()));
        var affinitiesBefore = world.affinities("host-a");
        world.releaseByHandle("h");
        var empty = release(world, "10.0.0.0/24", Emptiness.REQUIRED);

        assertThat(((AffinityRelease.Stopped) inUse).refusal().sentence())
                .isEqualTo("block '10.0.0.0/26' is not empty");
        assertThat(((AffinityRelease.Stopped) alone).refusal().sentence())
                .isEqualTo("block '10.0.0.0/26' is not empty");
        assertThat(affinitiesBefore).containsExactly("10.0.0.0/26 confirmed");
        assertThat(empty).isEqualTo(new AffinityRelease.Done(List.of(prefix("10.0.0.0/26"))));
        assertThat(world.blocks()).isEmpty();
        assertThat(world.affinities("host-a")).isEmpty();
    }

    @Test
    @DisplayName("CAL-81: old data: an affinity for a block without an owner goes with the pool")
    void blockWithoutOwnerGoesWithThePool() {
        var world = world(pool("p", "10.0.0.0/16"));
        world.affinity(new Affinity(HOST_A, prefix("10.0.0.0/30"), Affinity.State.CONFIRMED));
        world.block(Block.stored(prefix("10.0.0.0/30")).unallocated(0, 1, 2, 3).build());

        world.enact(view -> BlockAffinities.releasePool(view, prefix("10.0.0.0/16"), world.now()));

        assertThat(world.blocks()).isEmpty();
        assertThat(world.view().affinities()).isEmpty();
    }

    @Test
    @DisplayName("CAL-82: a host and something virtual of the same name are not the same")
    void hostAndVirtualAreApart() {
        var world = world(pool("p", "10.1.0.0/16"));
        var virtual = Owner.virtual("host-a");

        for (int round = 0; round < 2; round++) {
            assertThat(sizes(claim(world, "10.1.0.0/26", HOST_A))).containsExactly(1, 0);
            assertThat(sizes(claim(world, "10.1.1.0/26", virtual))).containsExactly(1, 0);
        }
        world.enact(
                view ->
                        BlockAffinities.releaseHost(
                                view, virtual, Emptiness.REQUIRED, world.now()));
        var second =
                world.explain(
                        view ->
                                BlockAffinities.releaseHost(
                                        view, virtual, Emptiness.REQUIRED, world.now()));

        assertThat(world.blocks()).containsExactly("10.1.0.0/26");
        assertThat(world.affinities("host-a")).containsExactly("10.1.0.0/26 confirmed");
        assertThat(second.outcome()).isEqualTo(new AffinityRelease.Done(List.of()));
        assertThat(second.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-83: an unknown host can be removed")
    void unknownHostCanBeRemoved() {
        var world = world(pool("p", "10.0.0.0/24"));

        var decision =
                world.explain(view -> BlockAffinities.removeHost(view, Owner.host("x"), World.NOW));

        assertThat(decision.outcome()).isEqualTo(new AffinityRelease.Done(List.of()));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-87 to CAL-89: configuration")
    void configuration() {
        var world = world();
        var strict = IpamConfig.DEFAULT.withStrictAffinity(true).withAutoAllocateBlocks(false);

        var missing = world.see(BlockView::config);
        var missingYet = world.store().get(CalicoKeys.CONFIG);
        var same = world.explain(view -> BlockSettings.configure(view, IpamConfig.DEFAULT));
        var neither =
                world.explain(
                        view ->
                                BlockSettings.configure(
                                        view, IpamConfig.DEFAULT.withAutoAllocateBlocks(false)));
        var limit =
                world.explain(
                        view ->
                                BlockSettings.configure(
                                        view, IpamConfig.DEFAULT.withMaxBlocksPerHost(2)));
        world.enact(view -> BlockSettings.configure(view, strict));

        assertThat(missing).isEqualTo(IpamConfig.DEFAULT);
        assertThat(missingYet).isEmpty();
        assertThat(same.changes()).isEmpty();
        assertThat(((Configuration.Refused) neither.outcome()).refusal().sentence())
                .isEqualTo(
                        "Cannot disable 'StrictAffinity' and 'AutoAllocateBlocks' at the same"
                                + " time");
        assertThat(((Configuration.Refused) limit.outcome()).refusal().sentence())
                .isEqualTo("MaxBlocksPerHost requires StrictAffinity to be enabled");
        assertThat(world.view().config()).isEqualTo(strict);
        world.put(CalicoKeys.CONFIG, Bytes.ofUtf8("{}"));
        assertThat(world.view().config().autoAllocateBlocks()).isFalse();
    }
}
