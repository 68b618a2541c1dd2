package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Addresses given back.
class ReleaseTest {

    private static ReleaseOption option(String address) {
        return ReleaseOption.of(address);
    }

    @Test
    void wrongHandleIsAConflict() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-a", "10.0.0.0", "h");

        var release = world.release(option("10.0.0.0").withHandle("x"));

        assertThat(((Release.Stopped) release).refusal())
                .isEqualTo(
                        new BlockRefusal.Conflict(
                                "10.0.0.0",
                                "the given handle (x) does not match (h) when attempting to release"
                                        + " IP"));
    }

    @Test
    void bothFamiliesOfRemovedPoolsAreFound() {
        var world = World.with(pool("p", "10.0.0.0/24"), pool("q", "fd00::/120"));
        world.assignAddress("node-a", "10.0.0.1", "h");
        world.assignAddress("node-a", "fd00::1", "h");
        world.pools();

        assertThat(world.release(option("10.0.0.1"), option("fd00::1")).unallocated()).isEmpty();
    }

    @Test
    void unreadableAddressesReleaseNothing() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-a", "10.0.0.1", "h");

        var empty = world.release(option("10.0.0.1"), option(""));
        var broken = world.release(option("10.0.0.1"), option("1.2.3"));

        assertThat(((Release.Stopped) empty).refusal().sentence())
                .isEqualTo(
                        "No IP address specified in options: {Address: Handle:"
                                + " SequenceNumber:<nil>}");
        assertThat(((Release.Stopped) broken).refusal().sentence())
                .isEqualTo("failed to parse IP: 1.2.3");
        assertThat(world.block("10.0.0.0/26").addressesOf("h")).hasSize(1);
    }

    @Test
    void sameAddressTwiceIsReleasedOnce() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-a", "10.0.0.1", "h");

        var release = world.release(option("10.0.0.1").withHandle("x"), option("10.0.0.1"));

        assertThat(release)
                .isEqualTo(
                        new Release.Done(
                                List.of(),
                                List.of(option("10.0.0.1").withHandle("x"), option("10.0.0.1"))));
    }

    @Test
    void releaseThatWasServedWithoutAnAnswerTakesNothingFromTheNext() {
        var world = World.with(pool("p", "10.0.0.0/32", 32));
        world.assignAddress("node-a", "10.0.0.0", "h");
        var options = List.of(option("10.0.0.0"));
        var lost = BlockReleases.release(world.view(), options, world.now());
        world.enact(lost);
        world.assignAddress("node-a", "10.0.0.0", "next");

        var again = BlockReleases.release(world.view(), options, List.of(lost), world.now());

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void releaseThatWasNotServedIsServedByTheNextAttempt() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assignAddress("node-a", "10.0.0.0", "h");
        var options = List.of(option("10.0.0.0"));
        var lost = BlockReleases.release(world.view(), options, world.now());

        var again =
                world.enact(
                        BlockReleases.release(world.view(), options, List.of(lost), world.now()));

        assertThat(again).isEqualTo(lost.outcome());
        assertThat(world.block("10.0.0.0/26").empty()).isTrue();
    }

    @Test
    void releaseOfAHandleIsServedOnce() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 2, "h");
        var lost = BlockReleases.releaseByHandle(world.view(), "h", world.now());
        world.enact(lost);

        var again = BlockReleases.releaseByHandle(world.view(), "h", List.of(lost), world.now());

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void releaseIsWrittenInTheLegalOrder() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "h");

        var decision = BlockReleases.releaseByHandle(world.view(), "h", world.now());

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(UpdateBlock.class, DropHandle.class);
    }

    @Test
    void handleWithoutAddressesIsRemoved() {
        var world = World.with(pool("p", "10.0.0.0/24"));
        world.assign("node-a", 1, "other");
        world.handle(
                Handle.empty("h")
                        .withCount(prefix("10.0.0.128/26"), 2)
                        .withCount(prefix("10.0.0.0/26"), 1));

        var release = world.releaseByHandle("h");

        assertThat(release).isEqualTo(new HandleRelease.Done(List.of()));
        assertThat(world.view().findHandle("h")).isEmpty();
    }

    @Test
    void deselectedBlockGoesWithItsLastAddress() {
        var world =
                World.with(pool("pool1", "10.1.0.0/24").withNodeSelector("foo == 'bar'"))
                        .node("node-a", "foo", "bar");
        world.assign("node-a", 2, "h");
        world.node("node-a");

        world.releaseByHandle("h");

        assertThat(world.blocks()).isEmpty();
        assertThat(world.affinities("node-a")).isEmpty();
    }
}
