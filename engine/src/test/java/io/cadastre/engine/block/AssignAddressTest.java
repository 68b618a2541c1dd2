package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;

import org.junit.jupiter.api.Test;

import java.util.List;

/// One certain address.
class AssignAddressTest {

    private static String refusal(AddressAssignment assignment) {
        return ((AddressAssignment.Refused) assignment).refusal().sentence();
    }

    private static AddressAssignment assign(World world, AssignAddressRequest request) {
        return world.enact(BlockEngine.assignAddress(world.view(), request));
    }

    private static AssignAddressRequest request(World world, String address) {
        return AssignAddressRequest.of(address(address), "node-a", Claimant.of("h"), world.now());
    }

    @Test
    void strictAffinityWantsAnOwner() {
        var world =
                World.with(pool("p", "10.0.0.0/30", 30))
                        .config(IpamConfig.DEFAULT.withStrictAffinity(true))
                        .block(Block.stored(prefix("10.0.0.0/30")).unallocated(0, 1, 2, 3).build());

        assertThat(refusal(world.assignAddress("node-a", "10.0.0.1", "h")))
                .isEqualTo("Attempt to assign from block 10.0.0.0/30 with no affinity");
    }

    @Test
    void cappedHandleGetsItsAddressAgainAndNoOther() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var first = request(world, "10.0.0.7").withMaxPerHandle(1);

        assign(world, first);
        var again = BlockEngine.assignAddress(world.view(), first);
        var other = assign(world, request(world, "10.0.0.8").withMaxPerHandle(1));

        assertThat(again.outcome()).isInstanceOf(AddressAssignment.Assigned.class);
        assertThat(again.changes()).isEmpty();
        assertThat(refusal(other))
                .isEqualTo(
                        "handle h already has IP(s) allocated, cannot assign additional IP 10.0.0.8"
                                + " (maxAllocPerIPVersion=1)");
        assertThat(world.view().findHandle("h").orElseThrow().total(Family.IPV4)).isEqualTo(1);
    }

    @Test
    void requestThatWasServedWithoutAnAnswerIsServedOnce() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        var lost = BlockEngine.assignAddress(world.view(), request(world, "10.0.0.7"));
        world.enact(lost);

        var again =
                BlockEngine.assignAddress(
                        world.view(), request(world, "10.0.0.7").after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }
}
