package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange.DropHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Addresses given back.
class ReleaseTest {

    private static ReleaseOption option(String address) {
        return ReleaseOption.of(address);
    }

    @Test
    void wrongHandleIsAConflict() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.0", "h");

        var release = cluster.release(option("10.0.0.0").withHandle("x"));

        assertThat(((Release.Stopped) release).refusal())
                .isEqualTo(new BlockRefusal.Conflict(
                        "10.0.0.0", "the given handle (x) does not match (h) when attempting to release" + " IP"));
    }

    @Test
    void bothFamiliesOfRemovedPoolsAreFound() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"), pool("q", "fd00::/120"));
        cluster.assignAddress("node-a", "10.0.0.1", "h");
        cluster.assignAddress("node-a", "fd00::1", "h");
        cluster.pools();

        assertThat(cluster.release(option("10.0.0.1"), option("fd00::1")).unallocated())
                .isEmpty();
    }

    @Test
    void unreadableAddressesReleaseNothing() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.1", "h");

        var empty = cluster.release(option("10.0.0.1"), option(""));
        var broken = cluster.release(option("10.0.0.1"), option("1.2.3"));

        assertThat(((Release.Stopped) empty).refusal().sentence())
                .isEqualTo("No IP address specified in options: {Address: Handle:" + " SequenceNumber:<nil>}");
        assertThat(((Release.Stopped) broken).refusal().sentence()).isEqualTo("failed to parse IP: 1.2.3");
        assertThat(cluster.block("10.0.0.0/26").addressesOf("h")).hasSize(1);
    }

    @Test
    void sameAddressTwiceIsReleasedOnce() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.1", "h");

        var release = cluster.release(option("10.0.0.1").withHandle("x"), option("10.0.0.1"));

        assertThat(release)
                .isEqualTo(
                        new Release.Done(List.of(), List.of(option("10.0.0.1").withHandle("x"), option("10.0.0.1"))));
    }

    @Test
    void releaseThatWasServedWithoutAnAnswerTakesNothingFromTheNext() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/32", 32));
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        var options = List.of(option("10.0.0.0"));
        var lost = BlockEngine.release(cluster.view(), options, Attempts.first(cluster.now()));
        cluster.enact(lost);
        cluster.assignAddress("node-a", "10.0.0.0", "next");

        var again = BlockEngine.release(cluster.view(), options, Attempts.after(List.of(lost), cluster.now()));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void releaseThatWasNotServedIsServedByTheNextAttempt() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        var options = List.of(option("10.0.0.0"));
        var lost = BlockEngine.release(cluster.view(), options, Attempts.first(cluster.now()));

        var again = cluster.enact(
                BlockEngine.release(cluster.view(), options, Attempts.after(List.of(lost), cluster.now())));

        assertThat(again).isEqualTo(lost.outcome());
        assertThat(cluster.block("10.0.0.0/26").empty()).isTrue();
    }

    @Test
    void releaseOfAHandleIsServedOnce() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 2, "h");
        var lost = BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.first(cluster.now()));
        cluster.enact(lost);

        var again = BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.after(List.of(lost), cluster.now()));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    /// On a store that writes one document after another an attempt may stop after either block.
    @Test
    void releaseOfAHandleNamesWhatAnInterruptedAttemptTookBack() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/31", 31), pool("q", "10.0.1.0/31", 31));
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        cluster.assignAddress("node-a", "10.0.1.0", "h");
        var stopped = BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.first(cluster.now()));
        var first = (UpdateBlock) stopped.changes().stream()
                .filter(UpdateBlock.class::isInstance)
                .findFirst()
                .orElseThrow();
        cluster.enact(new Decision<>(stopped.outcome(), List.of(first), List.of()));

        var again = BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.after(List.of(stopped), cluster.now()));

        assertThat(((HandleRelease.Done) again.outcome()).released())
                .containsExactlyInAnyOrder(Address.parse("10.0.0.0"), Address.parse("10.0.1.0"));
    }

    @Test
    void releaseIsWrittenInTheLegalOrder() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "h");

        var decision = BlockEngine.releaseByHandle(cluster.view(), "h", Attempts.first(cluster.now()));

        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(UpdateBlock.class, DropHandle.class);
    }

    @Test
    void handleWithoutAddressesIsRemoved() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "other");
        cluster.handle(Handle.empty("h").withCount(prefix("10.0.0.128/26"), 2).withCount(prefix("10.0.0.0/26"), 1));

        var release = cluster.releaseByHandle("h");

        assertThat(release).isEqualTo(new HandleRelease.Done(List.of()));
        assertThat(cluster.view().findHandle("h")).isEmpty();
    }

    @Test
    void deselectedBlockGoesWithItsLastAddress() {
        var cluster = BlockCluster.with(pool("pool1", "10.1.0.0/24").withNodeSelector("foo == 'bar'"))
                .node("node-a", "foo", "bar");
        cluster.assign("node-a", 2, "h");
        cluster.node("node-a");

        cluster.releaseByHandle("h");

        assertThat(cluster.blocks()).isEmpty();
        assertThat(cluster.affinities("node-a")).isEmpty();
    }
}
