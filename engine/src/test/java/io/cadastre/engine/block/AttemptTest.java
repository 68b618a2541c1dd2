package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Family;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockReason.AttemptBarred;
import io.cadastre.engine.block.BlockReason.GivenBefore;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A request that is repeated because its outcome is unknown.
class AttemptTest {

    private static final IpPool POOL = pool("p", "10.0.0.0/24");
    private static final IpPool POOL6 = pool("six", "fd00::/120");

    private static IpPool disabled(IpPool pool) {
        return pool.withStanding(IpPool.Mode.DISABLED);
    }

    @Test
    void whatWasGivenIsFoundBeforePoolsAreChosen() {
        var cluster = BlockCluster.with(POOL, POOL6);
        var request = cluster.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.enact(lost);
        cluster.pools(POOL, disabled(POOL6));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
        assertThat(again.because()).hasSize(2).allMatch(GivenBefore.class::isInstance);
    }

    @Test
    void addressesGivenInPartAreReportedEvenIfTheRestIsRefused() {
        var cluster = BlockCluster.with(POOL, POOL6);
        cluster.assign(cluster.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).ipv6(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        int withoutTheLast = lost.changes().size() - 1;
        cluster.enactFirst(withoutTheLast, lost);
        cluster.pools(disabled(POOL), disabled(POOL6));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.outcome().share(Family.IPV4).orElseThrow().leases())
                .isEqualTo(lost.outcome().share(Family.IPV4).orElseThrow().leases());
        assertThat(again.outcome().share(Family.IPV6)).isEmpty();
    }

    @Test
    void sameIsAnsweredThoughLessWasGivenThanAskedFor() {
        var small = pool("p", "10.0.0.0/30", 30);
        var cluster = BlockCluster.with(small);
        var request = cluster.request("node-a").ipv4(Ask.of(5)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.enact(lost);
        cluster.pools(small, pool("q", "10.1.0.0/30", 30));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void attemptThatMayYetArriveIsBarredWhenTheRequestIsRefused() {
        var cluster = BlockCluster.with(POOL);
        cluster.assign("node-a", 1, "other");
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        var seen = cluster.block("10.0.0.128/26");
        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).containsExactly(new UpdateBlock(seen, seen.written()));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.128/26"));
    }

    @Test
    void coldBlockWithoutAnOwnerGoesWhenAnAttemptIsBarred() {
        var small = pool("p", "10.0.0.0/30", 30);
        var cluster = BlockCluster.with(small).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.assign("node-b", 1, "other");
        cluster.enact(BlockEngine.removeHost(cluster.view(), Owner.host("node-b"), Attempts.first(cluster.now())));
        cluster.releaseByHandle("other");
        cluster.later(Duration.ofSeconds(61));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.pools(disabled(small));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(lost.outcome().addresses()).hasSize(1);
        assertThat(again.changes()).containsExactly(new DropBlock(cluster.block("10.0.0.0/30")));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.0/30"));
    }

    @Test
    void attemptThatMayYetArriveIsBarredByTheGrantInItsPlace() {
        var cluster = BlockCluster.with(POOL);
        cluster.assign("node-a", 1, "other");
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEqualTo(lost.changes());
    }

    @Test
    void attemptThatCameTooLateNeedNotBeBarred() {
        var cluster = BlockCluster.with(POOL);
        cluster.assign("node-a", 1, "other");
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.assign("node-a", 1, "rival");
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void attemptToCreateABlockIsBarredByTheHandle() {
        var cluster = BlockCluster.with(POOL, pool("q", "10.1.0.0/30", 30));
        cluster.assign(cluster.request("node-a")
                .ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30"))))
                .by(Requester.of("h")));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var unclaimed = request.ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24"))));
        var lost = BlockEngine.assign(cluster.view(), unclaimed);
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assign(cluster.view(), unclaimed.after(List.of(lost)));

        var handle = cluster.view().findHandle("h").orElseThrow();
        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).containsExactly(new PutHandle(handle));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    /// Seed 70000229 of the simulation of blocks.
    @Test
    void attemptToCreateABlockThatARivalCreatedSinceIsBarredByTheHandle() {
        var cluster = BlockCluster.with(POOL, pool("q", "10.1.0.0/30", 30));
        cluster.assign(cluster.request("node-a")
                .ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30"))))
                .by(Requester.of("h")));
        var request = cluster.request("node-a")
                .ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24"))))
                .by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        var address = lost.outcome().addresses().getFirst();
        cluster.assignAddress("node-b", address.toString(), "rival");
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes())
                .contains(new PutHandle(cluster.view().findHandle("h").orElseThrow()));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    /// Seed 1794925461008 of the simulation of blocks: the request is older than the block that it replaces.
    @Test
    void attemptToReplaceAnEmptyBlockWithoutAnOwnerIsBarred() {
        var small = pool("p", "10.0.0.0/30", 30);
        var later = BlockCluster.with(small).later(Duration.ofSeconds(1)).now();
        var stored = Block.fresh(small.cidr(), Owner.host("node-b"), new HostReserve.None(), later)
                .disowned();
        var cluster = BlockCluster.with(small).block(stored);
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.pools(disabled(small));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(lost.changes()).contains(new DropBlock(stored));
        assertThat(lost.outcome().addresses()).hasSize(1);
        assertThat(again.outcome()).isInstanceOf(Assignment.Stopped.class);
        assertThat(again.changes()).containsExactly(new DropBlock(stored));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.0/30"));
    }

    @Test
    void attemptThatTakesFromABlockThatTheRequestBeforeItReplacedIsBarred() {
        var small = pool("p", "10.0.0.0/30", 30);
        var later = BlockCluster.with(small).later(Duration.ofSeconds(1)).now();
        var stored = Block.fresh(small.cidr(), Owner.host("node-b"), new HostReserve.None(), later)
                .disowned();
        var cluster = BlockCluster.with(small).block(stored);
        var committed = BlockCluster.with(small).block(stored);
        committed.enact(BlockEngine.assign(
                committed.view(), committed.request("node-a").ipv4(Ask.of(1)).by(Requester.of("before"))));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(committed.view(), request);
        cluster.pools(disabled(small));

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(lost.outcome().addresses()).hasSize(1);
        assertThat(again.changes()).containsExactly(new DropBlock(stored));
        assertThat(again.because()).contains(new AttemptBarred("block 10.0.0.0/30"));
    }

    /// Seed 425 of the simulation of blocks.
    @Test
    void attemptThatMayYetArriveIsBarredWhenAnotherAttemptServedTheRequest() {
        var cluster = BlockCluster.with(POOL, pool("q", "10.1.0.0/30", 30));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var first = BlockEngine.assign(cluster.view(), request.ipv4(Ask.of(1).from(List.of(prefix("10.1.0.0/30")))));
        var second = BlockEngine.assign(cluster.view(), request.ipv4(Ask.of(1).from(List.of(prefix("10.0.0.0/24")))));
        cluster.enact(first);

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(first, second)));

        assertThat(again.outcome()).isEqualTo(first.outcome());
        assertThat(again.changes())
                .containsExactly(new PutHandle(cluster.view().findHandle("h").orElseThrow()));
        assertThat(again.because()).contains(new AttemptBarred("handle h"));
    }

    @Test
    void addressesOfARivalUnderTheSameHandleStayWithTheRival() {
        var cluster = BlockCluster.with(POOL);
        cluster.assign("node-a", 1, "other");
        var request = cluster.request("node-a").ipv4(Ask.of(1));
        var mine = request.by(Requester.of("h", labels("timestamp", "1")));
        var theirs = request.by(Requester.of("h", labels("timestamp", "2")));
        var lost = BlockEngine.assign(cluster.view(), mine);
        var given = cluster.assign(theirs);

        var again = BlockEngine.assign(cluster.view(), mine.after(List.of(lost)));

        assertThat(given.addresses()).isEqualTo(lost.outcome().addresses());
        assertThat(again.outcome().addresses()).hasSize(1).doesNotContainAnyElementsOf(given.addresses());
    }

    @Test
    void certainAddressThatWasGivenIsFoundThoughItsPoolIsDisabled() {
        var cluster = BlockCluster.with(POOL);
        var request = AssignAddressRequest.of(address("10.0.0.7"), "node-a", Requester.of("h"), cluster.now());
        var lost = BlockEngine.assignAddress(cluster.view(), request);
        cluster.enact(lost);
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assignAddress(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void certainAddressThatWasNotGivenCannotBeGivenAnyMoreOnceItIsRefused() {
        var cluster = BlockCluster.with(POOL);
        cluster.assignAddress("node-a", "10.0.0.1", "other");
        var request = AssignAddressRequest.of(address("10.0.0.7"), "node-a", Requester.of("h"), cluster.now());
        var lost = BlockEngine.assignAddress(cluster.view(), request);
        cluster.pools(disabled(POOL));

        var again = BlockEngine.assignAddress(cluster.view(), request.after(List.of(lost)));

        var seen = cluster.block("10.0.0.0/26");
        assertThat(again.outcome()).isInstanceOf(AddressAssignment.Refused.class);
        assertThat(again.changes()).containsExactly(new UpdateBlock(seen, seen.written()));
    }

    @Test
    void releaseThatNamesTheNumberIsServedOnce() {
        var cluster = BlockCluster.with(POOL).config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        var block = cluster.block("10.0.0.0/26");
        var options = List.of(ReleaseOption.of("10.0.0.0").withHandle("h").withSequence(number(block)));
        var lost = BlockEngine.release(cluster.view(), options, Attempts.first(cluster.now()));
        cluster.enact(lost);

        var again = BlockEngine.release(cluster.view(), options, Attempts.after(List.of(lost), cluster.now()));

        assertThat(again.outcome()).isEqualTo(new Release.Done(List.of(), options));
        assertThat(again.changes()).isEmpty();
    }

    private static long number(Block block) {
        return block.sequenceOf(0);
    }

    @Test
    void releaseThatTookTheBlockWithItIsServedOnce() {
        var cluster = BlockCluster.with(POOL);
        cluster.assignAddress("node-a", "10.0.0.0", "h");
        cluster.enact(BlockEngine.releaseHost(
                cluster.view(), Owner.host("node-a"), ReleaseCondition.NOT_REQUIRED, Attempts.first(cluster.now())));
        cluster.pools();
        var options = List.of(ReleaseOption.of("10.0.0.0"));
        Decision<BlockChange, Release> lost =
                BlockEngine.release(cluster.view(), options, Attempts.first(cluster.now()));
        cluster.enact(lost);

        var again = BlockEngine.release(cluster.view(), options, Attempts.after(List.of(lost), cluster.now()));

        assertThat(cluster.blocks()).isEmpty();
        assertThat(again.outcome()).isEqualTo(new Release.Done(List.of(), options));
        assertThat(again.changes()).isEmpty();
    }
}
