package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.OwnerRequest.Side;
import io.cadastre.engine.block.OwnerUpdate.Expectation;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Who uses an address of a virtual machine.
class OwnerTest {

    private static final String VM = "net.vmi.shop.vm";

    private static World world() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign(
                world.request("host-a")
                        .ipv4(Ask.of(2))
                        .by(Claimant.of(VM, labels("namespace", "shop", "pod", "old"))));
        return world;
    }

    private static OwnerChange set(World world, Side active, Side alternate) {
        return world.enact(
                BlockOwners.set(
                        world.view(),
                        new OwnerRequest(address("10.0.0.0"), VM, active, alternate, world.now())));
    }

    private static Held held(World world, int ordinal) {
        return (Held) world.block("10.0.0.0/26").attribute(ordinal).orElseThrow();
    }

    private static String refusal(OwnerChange change) {
        return ((OwnerChange.Refused) change).refusal() instanceof BlockRefusal.Conflict conflict
                ? conflict.cause()
                : ((OwnerChange.Refused) change).refusal().sentence();
    }

    private static Side target() {
        return Side.of(new OwnerUpdate.Set(labels("namespace", "shop", "pod", "new")));
    }

    @Test
    void alternateOwnerOfOneAddressIsSet() {
        var world = world();

        set(world, Side.KEEP, target().expecting(new Expectation.Nobody()));

        assertThat(held(world, 0).alternate()).containsEntry("pod", "new");
        assertThat(held(world, 0).owner()).containsEntry("pod", "old");
        assertThat(held(world, 1).alternate()).isEmpty();
    }

    /// As in Calico: the attribute changes where it stands.
    @Test
    void attributeOfOneAddressKeepsItsPlace() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign(
                world.request("host-a")
                        .ipv4(Ask.of(1))
                        .by(Claimant.of(VM, labels("namespace", "shop", "pod", "old"))));
        world.assign(
                world.request("host-a")
                        .ipv4(Ask.of(1))
                        .by(Claimant.of("other", labels("pod", "other"))));

        set(world, Side.KEEP, target().expecting(new Expectation.Nobody()));

        assertThat(world.block("10.0.0.0/26").attributes())
                .containsExactly(held(world, 0), held(world, 1));
        assertThat(held(world, 0).alternate()).containsEntry("pod", "new");
    }

    @Test
    void unexpectedOwnerIsAConflict() {
        var world = world();

        var change =
                set(
                        world,
                        Side.of(new OwnerUpdate.Clear())
                                .expecting(new Expectation.Pod("shop", "other")),
                        Side.KEEP);

        assertThat(refusal(change))
                .isEqualTo(
                        "cannot set ActiveOwnerAttrs: expected pod=other namespace=shop but found"
                                + " pod=old namespace=shop");
    }

    @Test
    void ownerThatIsAsAskedForIsNoConflict() {
        var world = world();
        var side = target().expecting(new Expectation.Nobody());

        var first = set(world, Side.KEEP, side);
        var again = set(world, Side.KEEP, side);

        assertThat(again).isEqualTo(first).isInstanceOf(OwnerChange.Done.class);
    }

    @Test
    void expectationIsNotLookedAtIfNothingChanges() {
        var world = world();
        long before = world.block("10.0.0.0/26").sequence();

        var change = set(world, Side.KEEP.expecting(new Expectation.Nobody()), Side.KEEP);

        assertThat(change).isEqualTo(new OwnerChange.Done(List.of(address("10.0.0.0"))));
        assertThat(world.block("10.0.0.0/26").sequence()).isEqualTo(before + 1);
    }

    @Test
    void wrongHandleFreeAddressAndNoPoolAreRefused() {
        var world = world();

        var handle =
                BlockOwners.set(
                        world.view(),
                        new OwnerRequest(
                                address("10.0.0.0"), "x", target(), Side.KEEP, world.now()));
        var free =
                BlockOwners.set(
                        world.view(),
                        new OwnerRequest(
                                address("10.0.0.9"), VM, target(), Side.KEEP, world.now()));
        var outside =
                BlockOwners.set(
                        world.view(),
                        new OwnerRequest(address("1.1.1.1"), VM, target(), Side.KEEP, world.now()));

        assertThat(refusal(handle.outcome())).isEqualTo("IP 10.0.0.0 is not assigned to handle x");
        assertThat(refusal(free.outcome())).endsWith("with error: IP is unassigned");
        assertThat(refusal(outside.outcome()))
                .isEqualTo("the provided IP address 1.1.1.1 is not in a configured pool");
    }

    @Test
    void migrationSwapsTheOwnersOfAllAddresses() {
        var world = world();
        for (var text : List.of("10.0.0.0", "10.0.0.1")) {
            world.enact(
                    BlockOwners.set(
                            world.view(),
                            new OwnerRequest(address(text), VM, Side.KEEP, target(), world.now())));
        }

        var pod = new Expectation.Pod("shop", "new");
        var first = world.enact(BlockOwners.swap(world.view(), VM, pod, world.now()));
        var again = BlockOwners.swap(world.view(), VM, pod, world.now());

        assertThat(first.changed()).hasSize(2);
        assertThat(held(world, 1).owner()).containsEntry("pod", "new");
        assertThat(held(world, 1).alternate()).containsEntry("pod", "old");
        assertThat(again.outcome()).isEqualTo(first);
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void migrationWithoutTheRightTargetIsRefused() {
        var world = world();
        var pod = new Expectation.Pod("shop", "new");

        var empty = BlockOwners.swap(world.view(), VM, pod, world.now());
        set(world, Side.KEEP, target());
        var other =
                BlockOwners.swap(
                        world.view(), VM, new Expectation.Pod("shop", "third"), world.now());
        var unknown = BlockOwners.swap(world.view(), "x", pod, world.now());

        assertThat(refusal(empty.outcome()))
                .isEqualTo("AlternateOwnerAttrs is empty for IP 10.0.0.0");
        assertThat(refusal(other.outcome()))
                .isEqualTo(
                        "AlternateOwnerAttrs doesn't match expected target owner: expected &{shop"
                                + " third}, got namespace=shop pod=new for IP 10.0.0.0");
        assertThat(refusal(unknown.outcome()))
                .startsWith("failed to get IPs for handle x: resource does not exist");
    }
}
