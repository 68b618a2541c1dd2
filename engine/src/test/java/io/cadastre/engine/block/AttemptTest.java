package io.cadastre.engine.block;

import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static io.cadastre.engine.block.World.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AssignRequest.Ask;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockReason.AttemptBarred;
import io.cadastre.engine.block.BlockReason.GivenBefore;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// A request that is asked again because nobody knows what became of it.
class AttemptTest {

    private static final Pool POOL = pool("p", "10.0.0.0/24");
    private static final Pool POOL6 = pool("six", "fd00::/120");

    private static Pool disabled(Pool pool) {
        return pool.withStanding(Pool.Standing.DISABLED);
    }

    @Test
    void whatWasGivenIsFoundBeforePoolsAreChosen() {
        var world = World.with(POOL, POOL6);
        var request = world.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.enact(lost);
        world.pools(POOL, disabled(POOL6));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
        assertThat(again.because()).hasSize(2).allMatch(GivenBefore.class::isInstance);
    }

    @Test
    void whatWasGivenInPartIsToldEvenIfTheRestIsRefused() {
        var world = World.with(POOL, POOL6);
        world.assign(world.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)));
        var request = world.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        int withoutTheLast = lost.changes().size() - 1;
        world.enactFirst(withoutTheLast, lost);
        world.pools(disabled(POOL), disabled(POOL6));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.outcome().share(Family.IPV4).orElseThrow().leases())
                .isEqualTo(lost.outcome().share(Family.IPV4).orElseThrow().leases());
        assertThat(again.outcome().share(Family.IPV6)).isEmpty();
    }

    @Test
    void sameIsAnsweredThoughLessWasGivenThanAskedFor() {
        var small = pool("p", "10.0.0.0/30", 30);
        var world = World.with(small);
        var request = world.request("node-a").ipv4(Ask.of(5)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.enact(lost);
        world.pools(small, pool("q", "10.1.0.0/30", 30));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void attemptThatMayYetArriveIsBarredWhenTheRequestIsRefused() {
        var world = World.with(POOL);
        world.assign("node-a", 1, "other");
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.pools(disabled(POOL));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        var seen = world.block("10.0.0.128/26");
        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).containsExactly(new UpdateBlock(seen, seen.written()));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.128/26"));
    }

    @Test
    void blockOfNobodyInWhichAllIsColdGoesWhenAnAttemptIsBarred() {
        var small = pool("p", "10.0.0.0/30", 30);
        var world = World.with(small).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        world.assign("node-b", 1, "other");
        world.enact(BlockAffinities.removeHost(world.view(), Owner.host("node-b"), world.now()));
        world.releaseByHandle("other");
        world.later(Duration.ofSeconds(61));
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.pools(disabled(small));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(lost.outcome().addresses()).hasSize(1);
        assertThat(again.changes()).containsExactly(new DropBlock(world.block("10.0.0.0/30")));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.0/30"));
    }

    @Test
    void attemptThatMayYetArriveIsBarredByWhatIsGivenInItsPlace() {
        var world = World.with(POOL);
        world.assign("node-a", 1, "other");
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEqualTo(lost.changes());
    }

    @Test
    void attemptThatCameTooLateNeedNotBeBarred() {
        var world = World.with(POOL);
        world.assign("node-a", 1, "other");
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        world.assign("node-a", 1, "rival");
        world.pools(disabled(POOL));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void attemptToCreateABlockIsBarredByTheHandle() {
        var world = World.with(POOL, pool("q", "10.1.0.0/30", 30));
        world.assign(
                world.request("node-a")
                        .ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30"))))
                        .by(Claimant.of("h")));
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var unclaimed = request.ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24"))));
        var lost = BlockEngine.assign(world.view(), unclaimed);
        world.pools(disabled(POOL));

        var again = BlockEngine.assign(world.view(), unclaimed.after(List.of(lost)));

        var handle = world.view().findHandle("h").orElseThrow();
        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).containsExactly(new PutHandle(handle));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    /// Seed 70000229 of the simulation of blocks.
    @Test
    void attemptToCreateABlockThatARivalCreatedSinceIsBarredByTheHandle() {
        var world = World.with(POOL, pool("q", "10.1.0.0/30", 30));
        world.assign(
                world.request("node-a")
                        .ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30"))))
                        .by(Claimant.of("h")));
        var request =
                world.request("node-a")
                        .ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24"))))
                        .by(Claimant.of("h"));
        var lost = BlockEngine.assign(world.view(), request);
        var address = lost.outcome().addresses().getFirst();
        world.assignAddress("node-b", address.toString(), "rival");
        world.pools(disabled(POOL));

        var again = BlockEngine.assign(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes())
                .contains(new PutHandle(world.view().findHandle("h").orElseThrow()));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    /// Seed 425 of the simulation of blocks.
    @Test
    void attemptThatMayYetArriveIsBarredWhenAnotherAttemptServedTheRequest() {
        var world = World.with(POOL, pool("q", "10.1.0.0/30", 30));
        var request = world.request("node-a").ipv4(Ask.of(1)).by(Claimant.of("h"));
        var first =
                BlockEngine.assign(
                        world.view(), request.ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30")))));
        var second =
                BlockEngine.assign(
                        world.view(), request.ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24")))));
        world.enact(first);

        var again = BlockEngine.assign(world.view(), request.after(List.of(first, second)));

        assertThat(again.outcome()).isEqualTo(first.outcome());
        assertThat(again.changes())
                .containsExactly(new PutHandle(world.view().findHandle("h").orElseThrow()));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    @Test
    void whatARivalGotUnderTheSameHandleIsHis() {
        var world = World.with(POOL);
        world.assign("node-a", 1, "other");
        var request = world.request("node-a").ipv4(Ask.of(1));
        var mine = request.by(Claimant.of("h", labels("timestamp", "1")));
        var his = request.by(Claimant.of("h", labels("timestamp", "2")));
        var lost = BlockEngine.assign(world.view(), mine);
        var given = world.assign(his);

        var again = BlockEngine.assign(world.view(), mine.after(List.of(lost)));

        assertThat(given.addresses()).isEqualTo(lost.outcome().addresses());
        assertThat(again.outcome().addresses())
                .hasSize(1)
                .doesNotContainAnyElementsOf(given.addresses());
    }

    @Test
    void certainAddressThatWasGivenIsFoundThoughItsPoolIsDisabled() {
        var world = World.with(POOL);
        var request =
                AssignAddressRequest.of(
                        address("10.0.0.7"), "node-a", Claimant.of("h"), world.now());
        var lost = BlockEngine.assignAddress(world.view(), request);
        world.enact(lost);
        world.pools(disabled(POOL));

        var again = BlockEngine.assignAddress(world.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void certainAddressThatWasNotGivenCannotBeGivenAnyMoreOnceItIsRefused() {
        var world = World.with(POOL);
        world.assignAddress("node-a", "10.0.0.1", "other");
        var request =
                AssignAddressRequest.of(
                        address("10.0.0.7"), "node-a", Claimant.of("h"), world.now());
        var lost = BlockEngine.assignAddress(world.view(), request);
        world.pools(disabled(POOL));

        var again = BlockEngine.assignAddress(world.view(), request.after(List.of(lost)));

        var seen = world.block("10.0.0.0/26");
        assertThat(again.outcome()).isInstanceOf(AddressAssignment.Refused.class);
        assertThat(again.changes()).containsExactly(new UpdateBlock(seen, seen.written()));
    }

    @Test
    void releaseThatNamesTheNumberIsServedOnce() {
        var world = World.with(POOL).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        world.assignAddress("node-a", "10.0.0.0", "h");
        var block = world.block("10.0.0.0/26");
        var options =
                List.of(ReleaseOption.of("10.0.0.0").withHandle("h").withSequence(number(block)));
        var lost = BlockReleases.release(world.view(), options, world.now());
        world.enact(lost);

        var again = BlockReleases.release(world.view(), options, List.of(lost), world.now());

        assertThat(again.outcome()).isEqualTo(new Release.Done(List.of(), options));
        assertThat(again.changes()).isEmpty();
    }

    private static long number(Block block) {
        return block.sequenceOf(0);
    }

    @Test
    void releaseThatTookTheBlockWithItIsServedOnce() {
        var world = World.with(POOL);
        world.assignAddress("node-a", "10.0.0.0", "h");
        world.enact(
                BlockAffinities.releaseHost(
                        world.view(), Owner.host("node-a"), Emptiness.NOT_REQUIRED, world.now()));
        world.pools();
        var options = List.of(ReleaseOption.of("10.0.0.0"));
        Decision<BlockChange, Release> lost =
                BlockReleases.release(world.view(), options, world.now());
        world.enact(lost);

        var again = BlockReleases.release(world.view(), options, List.of(lost), world.now());

        assertThat(world.blocks()).isEmpty();
        assertThat(again.outcome()).isEqualTo(new Release.Done(List.of(), options));
        assertThat(again.changes()).isEmpty();
    }
}
