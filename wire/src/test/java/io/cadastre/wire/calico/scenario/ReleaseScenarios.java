package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockQueries;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Addresses given back.
public abstract class ReleaseScenarios extends ScenarioContract {

    private static ReleaseOption option(String address) {
        return ReleaseOption.of(address);
    }

    @Test
    @DisplayName("CAL-68: an address of no pool and no block is not allocated")
    void addressOfNoPool() {
        var cluster = cluster(pool("p", "192.168.1.0/24"));

        assertThat(cluster.release(option("1.1.1.1")))
                .isEqualTo(new Release.Done(List.of(address("1.1.1.1")), List.of()));
    }

    @Test
    @DisplayName("CAL-69: a free address of a pool counts as released")
    void freeAddressOfAPool() {
        var cluster = cluster(pool("p", "192.168.1.0/24"));

        assertThat(cluster.release(option("192.168.1.0")))
                .isEqualTo(new Release.Done(List.of(address("192.168.1.0")), List.of(option("192.168.1.0"))));
    }

    @Test
    @DisplayName("CAL-70, CAL-71: what was given can be given back, over several blocks")
    void whatWasGivenCanBeGivenBack() {
        var cluster = cluster(pool("p", "192.168.1.0/24"));
        var given = cluster.assign("node-a", 66, "h");

        var release = cluster.release(given.stream().map(ReleaseOption::of).toArray(ReleaseOption[]::new));

        assertThat(release).isInstanceOf(Release.Done.class);
        assertThat(release.unallocated()).isEmpty();
        assertThat(release.released()).hasSize(66);
        assertThat(cluster.view().blocks(Family.IPV4)).hasSize(2).allMatch(Block::empty);
        assertThat(cluster.view().handles()).isEmpty();
    }

    @Test
    @DisplayName("CAL-72: a free neighbour is not allocated")
    void neighbourIsNotAllocated() {
        var cluster = cluster(pool("p", "192.168.1.0/24"));
        cluster.assignAddress("node-a", "192.168.1.0", "h");
        cluster.release(option("192.168.1.0"));

        assertThat(cluster.release(option("192.168.1.1")).unallocated()).containsExactly(address("192.168.1.1"));
    }

    @Test
    @DisplayName("CAL-74: a wrong number fails its block and no other")
    void wrongNumberFailsItsBlock() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        cluster.assignAddress("node-a", "10.0.0.64", "h");
        var good = option("10.0.0.0");
        var bad = option("10.0.0.64").withSequence(7);
        var blockBefore = cluster.block("10.0.0.64/26");

        var release = cluster.release(good, bad);

        assertThat(release).isInstanceOfSatisfying(Release.Stopped.class, stopped -> {
            assertThat(stopped.released()).containsExactly(good);
            assertThat(stopped.refusal().sentence()).isEqualTo("update conflict: 10.0.0.64");
            assertThat(((BlockRefusal.Conflict) stopped.refusal()).cause())
                    .startsWith("the given sequence number (7) does not match (");
        });
        assertThat(cluster.block("10.0.0.64/26")).isEqualTo(blockBefore);
    }

    @Test
    @DisplayName("CAL-75: a block without an owner vanishes with its last address")
    void blockWithoutAnOwnerVanishes() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "h");
        cluster.enact(view -> BlockEngine.releaseHost(
                view, Owner.host("node-a"), ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));

        var decision = cluster.explain(view -> BlockEngine.releaseByHandle(view, "h", Attempts.first(cluster.now())));
        cluster.releaseByHandle("h");

        assertThat(decision.changes()).extracting(Object::getClass).containsExactly(DropBlock.class, DropHandle.class);
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-76: an unknown handle does not exist")
    void unknownHandle() {
        var cluster = cluster(pool("p", "10.0.0.0/24"));

        var unknown = cluster.releaseByHandle("h");
        cluster.assign("node-a", 1, "h");
        var known = cluster.see(view -> BlockQueries.addressesOf(view, "h"));
        cluster.releaseByHandle("h");
        var gone = cluster.see(view -> BlockQueries.addressesOf(view, "h"));

        assertThat(((HandleRelease.Refused) unknown).refusal().sentence())
                .isEqualTo("resource does not exist: IPAMHandleKey(id=h) with error: <nil>");
        assertThat(known).hasValueSatisfying(addresses -> assertThat(addresses).hasSize(1));
        assertThat(gone).isEmpty();
    }

    @Test
    @DisplayName("CAL-77: a disabled or removed pool does not keep its addresses")
    void disabledAndRemovedPools() {
        var cluster = cluster(pool("p", "10.0.0.0/24"), pool("q", "10.1.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.1", "h");
        cluster.assignAddress("node-a", "10.1.0.1", "h");
        cluster.pools(pool("p", "10.0.0.0/24").withStanding(IpPool.Mode.DISABLED));

        var release = cluster.release(option("10.0.0.1"), option("10.1.0.1"));

        assertThat(release.unallocated()).isEmpty();
        assertThat(release.released()).hasSize(2);
    }

    @Test
    @DisplayName("CAL-84: a block of a pool that deselects its node goes with the next assignment")
    void deselectedBlockGoesWithTheNextAssignment() {
        var cluster = cluster(
                        pool("pool1", "10.1.0.0/24").withNodeSelector("foo == 'bar'"),
                        pool("pool2", "10.2.0.0/24").withNodeSelector("foo != 'bar'"))
                .node("node-a", "foo", "bar");
        cluster.assign("node-a", 3, "h");
        cluster.releaseByHandle("h");
        cluster.node("node-a", "foo", "baz");

        var before = cluster.blocks();
        cluster.assign("node-a", 1);

        assertThat(before).hasSize(1);
        assertThat(cluster.blocks()).hasSize(1).allMatch(text -> text.startsWith("10.2."));
        assertThat(cluster.affinities("node-a")).hasSize(1);
    }

    @Test
    @DisplayName("CAL-85, CAL-86: a block whose pool still selects the node stays")
    void selectedBlockStays() {
        var pool1 = pool("pool1", "10.1.0.0/24");
        var pool2 = pool("pool2", "10.2.0.0/24");
        var cluster = cluster(pool1);
        cluster.assign("node-a", 1, "h");
        cluster.releaseByHandle("h");

        cluster.pools(pool1.withAllowedUses(List.of(AddressUse.TUNNEL)), pool2);
        cluster.assign("node-a", 1);
        cluster.pools(pool1, pool2);
        cluster.assign(cluster.request("node-a").ipv4(Ask.of(1).from(List.of(prefix("10.2.0.0/24")))));

        assertThat(cluster.affinities("node-a")).hasSize(2);
    }
}
