package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;

import org.junit.jupiter.api.DisplayName;
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
    @DisplayName("CAL-61: an address is given once, with its block")
    void addressIsGivenOnce() {
        var world = World.with(pool("p", "192.168.1.0/24"));

        var first = world.assignAddress("node-a", "192.168.1.0", "h");
        var second = world.assignAddress("node-a", "192.168.1.0", "h");

        assertThat(first)
                .isEqualTo(
                        new AddressAssignment.Assigned(
                                new Lease(address("192.168.1.0"), prefix("192.168.1.0/26"))));
        assertThat(world.block("192.168.1.0/26").owner()).contains(Owner.host("node-a"));
        assertThat(world.affinities("node-a")).containsExactly("192.168.1.0/26 confirmed");
        assertThat(refusal(second))
                .isEqualTo(
                        "resource already exists: 192.168.1.0 with error: Address already assigned"
                                + " in block");
    }

    @Test
    @DisplayName("CAL-62: an IPv6 address too")
    void ipv6Address() {
        var world = World.with(pool("p", "fd80:24e2:f998:72d6::/120"));

        var given = world.assignAddress("node-a", "fd80:24e2:f998:72d6::", "h");

        assertThat(given).isInstanceOf(AddressAssignment.Assigned.class);
    }

    @Test
    @DisplayName("CAL-63, CAL-67: an address of no pool, or of a disabled one, is not given")
    void addressOutsideEnabledPools() {
        var world = World.with(pool("p", "10.0.0.0/24").withStanding(Pool.Standing.DISABLED));

        assertThat(refusal(world.assignAddress("node-a", "1.1.1.1", "h")))
                .isEqualTo("The provided IP address is not in a configured pool\n");
        assertThat(refusal(world.assignAddress("node-a", "10.0.0.1", "h")))
                .isEqualTo("The provided IP address is not in a configured pool\n");
        assertThat(world.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-64: the use must be allowed, if it is stated")
    void useMustBeAllowed() {
        var world =
                World.with(
                        pool("only", "10.0.0.0/24").withAllowedUses(List.of(Use.WORKLOAD)),
                        pool("both", "10.1.0.0/24"));

        assertThat(refusal(assign(world, request(world, "10.0.0.1").forUse(Use.TUNNEL))))
                .isEqualTo(
                        "IP address 10.0.0.1 is in IP pool \"only\", which is not allowed for use"
                                + " \"Tunnel\" (allowedUses: [Workload])");
        assertThat(refusal(assign(world, request(world, "10.1.0.1").forUse(Use.LOAD_BALANCER))))
                .endsWith("(allowedUses: [Workload Tunnel])");
        for (var request :
                List.of(
                        request(world, "10.0.0.1").forUse(Use.WORKLOAD),
                        request(world, "10.0.0.2"),
                        request(world, "10.1.0.1").forUse(Use.TUNNEL))) {
            assertThat(assign(world, request)).isInstanceOf(AddressAssignment.Assigned.class);
        }
    }

    @Test
    @DisplayName("CAL-65: another host's address is borrowed, unless affinity is strict")
    void addressIsBorrowedUnlessStrict() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-b", "10.0.0.1", "b");
        world.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        var strict = world.assignAddress("node-a", "10.0.0.2", "a");
        world.config(IpamConfig.DEFAULT);
        var lenient = world.assignAddress("node-a", "10.0.0.2", "a");

        assertThat(refusal(strict)).isEqualTo("Block host affinity does not match");
        assertThat(lenient).isInstanceOf(AddressAssignment.Assigned.class);
        assertThat(world.block("10.0.0.0/26").owner()).contains(Owner.host("node-b"));
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
    @DisplayName("CAL-66: a reserved address is given to whoever names it")
    void reservedAddressIsGivenByName() {
        var world = World.with(pool("p", "10.0.0.0/24")).reserve("10.0.0.0/24");

        assertThat(world.assignAddress("node-a", "10.0.0.7", "h"))
                .isInstanceOf(AddressAssignment.Assigned.class);
    }

    @Test
    @DisplayName("CAL-9: a cooling address is not given")
    void coolingAddressIsNotGiven() {
        var world =
                World.with(pool("p", "10.0.0.0/24"))
                        .config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        world.assignAddress("node-a", "10.0.0.7", "h");
        world.release(ReleaseOption.of("10.0.0.7"));

        assertThat(refusal(world.assignAddress("node-a", "10.0.0.7", "h")))
                .startsWith("resource already exists: 10.0.0.7");
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
