package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Pool;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.engine.block.Use;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Addresses given back.
public abstract class ReleaseScenarios extends ScenarioContract {

    private static ReleaseOption option(String address) {
        return ReleaseOption.of(address);
    }

    @Test
    @DisplayName("CAL-68: an address of no pool and no block is not allocated")
    void addressOfNoPool() {
        var world = world(pool("p", "192.168.1.0/24"));

        assertThat(world.release(option("1.1.1.1")))
                .isEqualTo(new Release.Done(List.of(address("1.1.1.1")), List.of()));
    }

    @Test
    @DisplayName("CAL-69: an address of a pool that nobody holds counts as dealt with")
    void freeAddressOfAPool() {
        var world = world(pool("p", "192.168.1.0/24"));

        assertThat(world.release(option("192.168.1.0")))
                .isEqualTo(
                        new Release.Done(
                                List.of(address("192.168.1.0")), List.of(option("192.168.1.0"))));
    }

    @Test
    @DisplayName("CAL-70, CAL-71: what was given can be given back, over several blocks")
    void whatWasGivenCanBeGivenBack() {
        var world = world(pool("p", "192.168.1.0/24"));
        var given = world.assign("node-a", 66, "h");

        var release =
                world.release(given.stream().map(ReleaseOption::of).toArray(ReleaseOption[]::new));

        assertThat(release).isInstanceOf(Release.Done.class);
        assertThat(release.unallocated()).isEmpty();
        assertThat(release.released()).hasSize(66);
        assertThat(world.view().blocks(Family.IPV4)).hasSize(2).allMatch(Block::empty);
        assertThat(world.view().handles()).isEmpty();
    }

    @Test
    @DisplayName("CAL-72: a neighbour that nobody holds is not allocated")
    void neighbourIsNotAllocated() {
        var world = world(pool("p", "192.168.1.0/24"));
        world.assignAddress("node-a", "192.168.1.0", "h");
        world.release(option("192.168.1.0"));

        assertThat(world.release(option("192.168.1.1")).unallocated())
                .containsExactly(address("192.168.1.1"));
    }

    @Test
    @DisplayName("CAL-74: a wrong number fails its block and no other")
    void wrongNumberFailsItsBlock() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-a", "10.0.0.0", "h");
        world.assignAddress("node-a", "10.0.0.64", "h");
        var good = option("10.0.0.0");
        var bad = option("10.0.0.64").withSequence(7);
        var blockBefore = world.block("10.0.0.64/26");

        var release = world.release(good, bad);

        assertThat(release)
                .isInstanceOfSatisfying(
                        Release.Stopped.class,
                        stopped -> {
                            assertThat(stopped.released()).containsExactly(good);
                            assertThat(stopped.refusal().sentence())
                                    .isEqualTo("update conflict: 10.0.0.64");
                            assertThat(((BlockRefusal.Conflict) stopped.refusal()).cause())
                                    .startsWith("the given sequence number (7) does not match (");
                        });
        assertThat(world.block("10.0.0.64/26")).isEqualTo(blockBefore);
    }

    @Test
    @DisplayName("CAL-75: a block of nobody vanishes with its last address")
    void blockOfNobodyVanishes() {
        var world = world(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "h");
        world.enact(
                view ->
                        BlockAffinities.releaseHost(
                                view, Owner.host("node-a"), Emptiness.NOT_REQUIRED, world.now()));

        var decision = world.explain(view -> BlockReleases.releaseByHandle(view, "h", world.now()));
        world.releaseByHandle("h");

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(DropBlock.class, DropHandle.class);
        assertThat(world.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-76: an unknown handle does not exist")
    void unknownHandle() {
        var world = world(pool("p", "10.0.0.0/24"));

        var unknown = world.releaseByHandle("h");
        world.assign("node-a", 1, "h");
        var known = world.see(view -> BlockQueries.addressesOf(view, "h"));
        world.releaseByHandle("h");
        var gone = world.see(view -> BlockQueries.addressesOf(view, "h"));

        assertThat(((HandleRelease.Refused) unknown).refusal().sentence())
                .isEqualTo("resource does not exist: IPAMHandleKey(id=h) with error: <nil>");
        assertThat(known).hasValueSatisfying(addresses -> assertThat(addresses).hasSize(1));
        assertThat(gone).isEmpty();
    }

    @Test
    @DisplayName("CAL-77: a disabled or removed pool does not keep its addresses")
    void disabledAndRemovedPools() {
        var world = world(pool("p", "10.0.0.0/24"), pool("q", "10.1.0.0/24"));
        world.assignAddress("node-a", "10.0.0.1", "h");
        world.assignAddress("node-a", "10.1.0.1", "h");
        world.pools(pool("p", "10.0.0.0/24").withStanding(Pool.Standing.DISABLED));

        var release = world.release(option("10.0.0.1"), option("10.1.0.1"));

        assertThat(release.unallocated()).isEmpty();
        assertThat(release.released()).hasSize(2);
    }

    @Test
    @DisplayName("CAL-84: a block of a pool that deselects its node goes with the next assignment")
    void deselectedBlockGoesWithTheNextAssignment() {
        var world =
                world(
                                pool("pool1", "10.1.0.0/24").withNodeSelector("foo == 'bar'"),
                                pool("pool2", "10.2.0.0/24").withNodeSelector("foo != 'bar'"))
                        .node("node-a", "foo", "bar");
        world.assign("node-a", 3, "h");
        world.releaseByHandle("h");
        world.node("node-a", "foo", "baz");

        var before = world.blocks();
        world.assign("node-a", 1);

        assertThat(before).hasSize(1);
        assertThat(world.blocks()).hasSize(1).allMatch(text -> text.startsWith("10.2."));
        assertThat(world.affinities("node-a")).hasSize(1);
    }

    @Test
    @DisplayName("CAL-85, CAL-86: a block whose pool still selects the node stays")
    void selectedBlockStays() {
        var pool1 = pool("pool1", "10.1.0.0/24");
        var pool2 = pool("pool2", "10.2.0.0/24");
        var world = world(pool1);
        world.assign("node-a", 1, "h");
        world.releaseByHandle("h");

        world.pools(pool1.withAllowedUses(List.of(Use.TUNNEL)), pool2);
        world.assign("node-a", 1);
        world.pools(pool1, pool2);
        world.assign(world.request("node-a").ipv4(Ask.of(1).from(List.of(prefix("10.2.0.0/24")))));

        assertThat(world.affinities("node-a")).hasSize(2);
    }
}
