package io.cadastre.engine.block;

import static io.cadastre.engine.block.BlockCluster.pool;
import static io.cadastre.engine.block.Fixtures.NOW;
import static io.cadastre.engine.block.Fixtures.address;
import static io.cadastre.engine.block.Fixtures.labels;
import static io.cadastre.engine.block.Fixtures.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockChange.PutHandle;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.Claimed;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.BlockReason.Reclaimed;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.index.BlockGenerator;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Any addresses on a host.
class AssignTest {

    @ParameterizedTest
    @CsvSource({"4, 2, 128", "2, 4, 128", "2, 0, 128", "0, 2, 128"})
    void smallerLimitCounts(int configured, int requested, int given) {
        var cluster = BlockCluster.with(pool("p", "192.168.0.0/16"))
                .config(IpamConfig.DEFAULT.withStrictAffinity(true).withMaxBlocksPerHost(configured));

        var assignment =
                cluster.assign(cluster.request("node-a").ipv4(Ask.of(1000)).withMaxBlocksPerHost(requested));

        assertThat(assignment.addresses()).hasSize(given);
    }

    private static String refusal(Assignment assignment) {
        assertThat(assignment.shares()).allSatisfy(s -> assertThat(s.leases()).isEmpty());
        return ((Assignment.Stopped) assignment).refusal().sentence();
    }

    @Test
    void nothingAskedForIsNothingGiven() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));

        assertThat(cluster.assign(cluster.request("node-a"))).isEqualTo(new Assignment.Done(List.of()));
        assertThatThrownBy(() -> Ask.of(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot assign -1 addresses");
        assertThatThrownBy(() -> Requester.of("a/b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a handle must not contain a slash: 'a/b'");
    }

    @ParameterizedTest
    @DisplayName("CAL-52: every block of a pool is claimed once")
    @CsvSource({
        "10.10.0.0/24, 26, 4",
        "10.10.0.0/16, 20, 16",
        "10.10.0.0/24, 32, 256",
        "fd80:24e2:f998:72d6::/120, 122, 4",
        "fd80:24e2:f998:72d6::/114, 116, 4",
        "fd80:24e2:f998:72d6::/120, 128, 256"
    })
    void everyBlockIsClaimedOnce(String cidr, int blockLength, int count) {
        var cluster = BlockCluster.with(pool("p", cidr, blockLength));
        var family = prefix(cidr).family();
        int size = 1 << (family.bits() - blockLength);
        var ask = Ask.of(size);

        for (int block = 0; block < count; block++) {
            var request = cluster.request("node-a").withMaxBlocksPerHost(1000);
            cluster.assign(family == Family.IPV4 ? request.ipv4(ask) : request.ipv6(ask));
        }

        assertThat(cluster.view().blocks(family))
                .hasSize(count)
                .allMatch(block -> prefix(cidr).contains(block.cidr()) && block.freeCount() == 0);
    }

    @Test
    void placesThatAreAllReservedAreNotClaimed() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24")).reserve("10.0.0.128/26", "10.0.0.192/26");

        assertThat(cluster.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    @DisplayName("CAL-58: a shortfall says how much is missing and why")
    void shortfallSaysWhy() {
        var lease = new AssignedAddress(address("10.0.0.1"), prefix("10.0.0.0/26"));
        var none = new HostReserve.None();
        var windows = new HostReserve.Ends(3, 1, "w", "n");

        assertThat(share(1, none, List.of(lease)).shortfall()).isEmpty();
        assertThat(share(2, none, List.of(lease), "strict").shortfall())
                .contains("Assigned 1 out of 2 requested IPv4 addresses; strict");
        assertThat(share(2, none, List.of(), "a", "b", "a").shortfall())
                .contains("Assigned 0 out of 2 requested IPv4 addresses; a; b");
        assertThat(share(2, windows, List.of(), "a").shortfall())
                .contains("Assigned 0 out of 2 requested IPv4 addresses; a; HostReservedAttr: w");
    }

    private static Assignment.Share share(
            int requested, HostReserve reserve, List<AssignedAddress> leases, String... messages) {
        return new Assignment.Share(Family.IPV4, requested, reserve, leases, List.of(messages));
    }

    @Test
    void firstAddressIsWrittenInTheLegalOrder() {
        var cluster = BlockCluster.with(pool("p", "10.9.0.0/24", 30));
        var request = cluster.request("node-a")
                .ipv4(Ask.of(1))
                .by(Requester.of("k8s-pod-network.c0ffee", labels("pod", "web-0")));

        var decision = BlockEngine.assign(cluster.view(), request);

        var cidr = prefix("10.9.0.232/30");
        assertThat(decision.changes())
                .extracting(Object::getClass)
                .containsExactly(
                        PutAffinity.class, CreateBlock.class, PutAffinity.class, PutHandle.class, UpdateBlock.class);
        assertThat(decision.outcome().shares().getFirst().leases())
                .extracting(AssignedAddress::toString)
                .containsExactly("10.9.0.232/30");
        var last = (UpdateBlock) decision.changes().getLast();
        assertThat(last.after().sequence()).isEqualTo(last.seen().sequence() + 1);
        assertThat(last.after().sequenceOf(0)).isEqualTo(last.seen().sequence());
        assertThat(decision.because()).contains(new Claimed(cidr, "p", cidr, BigInteger.ZERO));
    }

    @Test
    void grantAndReturnAreReadOffTheBlocks() {
        var cluster = BlockCluster.with(pool("p", "10.9.0.0/24", 30));

        var decision = BlockEngine.assign(
                cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h")));

        var granted =
                decision.changes().stream().flatMap(c -> c.granted().stream()).toList();
        assertThat(granted)
                .extracting(holding -> holding.level() + " " + holding.holder())
                .containsExactly("NODE host:node-a", "ENDPOINT handle/h");
        assertThat(decision.changes()).flatExtracting(BlockChange::returned).isEmpty();
    }

    @Test
    void emptyBlockOfAnotherIsReclaimedAfterAMinute() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/26"));
        cluster.assign("node-b", 1, "h");
        cluster.releaseByHandle("h");
        cluster.config(IpamConfig.DEFAULT.withStrictAffinity(true));

        var tooSoon = cluster.later(Duration.ofSeconds(58)).assign("node-a", 1);
        cluster.later(Duration.ofSeconds(3));
        var decision =
                BlockEngine.assign(cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)));
        cluster.enact(decision);

        assertThat(tooSoon).isEmpty();
        assertThat(decision.outcome().addresses()).containsExactly(address("10.0.0.0"));
        assertThat(decision.because()).contains(new Reclaimed(prefix("10.0.0.0/26"), "host:node-b"));
        assertThat(cluster.affinities("node-b")).isEmpty();
        assertThat(cluster.affinities("node-a")).containsExactly("10.0.0.0/26 confirmed");
    }

    @Test
    void emptyBlockWithoutAnOwnerIsReclaimed() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/26")).config(IpamConfig.DEFAULT.withStrictAffinity(true));
        cluster.block(Block.stored(prefix("10.0.0.0/26"))
                .unallocated(java.util.stream.IntStream.range(0, 64).toArray())
                .build());

        assertThat(cluster.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    void blockThatAnOwnerForgotIsFoundAgain() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var owner = Owner.host("node-a");
        cluster.block(Block.fresh(prefix("10.0.0.192/26"), owner, new HostReserve.None(), NOW));
        cluster.block(Block.fresh(prefix("10.0.0.128/26"), Owner.host("b"), new HostReserve.None(), NOW));

        assertThat(cluster.assign("node-a", 1)).containsExactly("10.0.0.192");
        assertThat(cluster.affinities("node-a")).containsExactly("10.0.0.192/26 confirmed");
    }

    @Test
    void damagedBlockIsPassedOver() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/25"));
        var owner = Owner.host("node-a");
        var cidr = prefix("10.0.0.0/26");
        cluster.affinity(new Affinity(owner, cidr, Affinity.State.CONFIRMED))
                .block(Block.stored(cidr)
                        .owner(owner)
                        .allocations(5)
                        .unallocated(0, 1)
                        .build());

        var decision =
                BlockEngine.assign(cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)));

        assertThat(decision.outcome().addresses()).containsExactly(address("10.0.0.64"));
        assertThat(decision.because()).contains(new PassedOver(cidr, BlockRule.DAMAGED));
    }

    @Test
    void blockOfAnotherLengthIsNotOverlapped() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.block(Block.fresh(prefix("10.0.0.128/25"), Owner.host("b"), new HostReserve.None(), NOW));

        assertThat(cluster.assign("node-a", 1)).containsExactly("10.0.0.0");
    }

    @Test
    void handleThatMayHaveOneGetsItAgain() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var request =
                cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("vm")).withMaxPerHandle(1);
        var first = cluster.assign(request);

        var decision = BlockEngine.assign(cluster.view(), request);

        assertThat(decision.outcome().addresses()).isEqualTo(first.addresses());
        assertThat(decision.outcome().shares().getFirst().leases())
                .extracting(AssignedAddress::toString)
                .containsExactly("10.0.0.128/32");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void handleThatCountsTooManyIsMendedBeforeItIsRefused() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "other");
        cluster.handle(Handle.empty("vm").withCount(prefix("10.0.0.128/26"), 1));

        var given = cluster.assign(
                cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("vm")).withMaxPerHandle(1));

        assertThat(BlockCluster.texts(given)).containsExactly("10.0.0.129");
        assertThat(cluster.view().findHandle("vm").orElseThrow().total(Family.IPV4))
                .isEqualTo(1);
    }

    @Test
    void capIsRefusedInCalicosWords() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        cluster.assign("node-a", 1, "vm");

        var assignment = cluster.assign(
                cluster.request("node-a").ipv4(Ask.of(2)).by(Requester.of("vm")).withMaxPerHandle(1));

        assertThat(refusal(assignment))
                .isEqualTo("handle vm has 1 IPs allocated but requires 2 (concurrent operation in" + " progress)");
    }

    @Test
    void requestThatWasServedWithoutAnAnswerIsServedOnce() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var request = cluster.request("node-a").ipv4(Ask.of(2)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.enact(lost);

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        assertThat(again.outcome()).isEqualTo(lost.outcome());
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void requestThatWasNotServedCountsItsHandleOnce() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var request = cluster.request("node-a").ipv4(Ask.of(2)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        cluster.enactFirst(4, lost);

        var again = cluster.assign(request.after(List.of(lost)));

        assertThat(again.addresses()).hasSize(2);
        assertThat(cluster.view().findHandle("h").orElseThrow().total(Family.IPV4))
                .isEqualTo(2);
    }

    @Test
    void nextFreeBlockIsFoundAmongManyFullOnes() {
        var cluster = BlockCluster.with(pool("a", "10.0.0.0/16"), pool("b", "10.1.0.0/16"));
        for (Prefix cidr : BlockGenerator.of("other", prefix("10.0.0.0/16"), 26, NOW)) {
            cluster.block(Block.fresh(cidr, Owner.host("other"), new HostReserve.None(), NOW)
                    .take(64, Requester.ANONYMOUS, Reservations.NONE)
                    .after());
        }

        var decision =
                BlockEngine.assign(cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)));

        assertThat(cluster.view().blocks(Family.IPV4)).hasSize(1024);
        assertThat(prefix("10.1.0.0/16").contains(decision.outcome().addresses().getFirst()))
                .isTrue();
    }

    @Test
    void handleIsWrittenWithTheBlockEvenIfAnEarlierAttemptCountedEnough() {
        var cluster = BlockCluster.with(pool("p", "10.0.0.0/24"));
        var request = cluster.request("node-a").ipv4(Ask.of(1)).by(Requester.of("h"));
        var lost = BlockEngine.assign(cluster.view(), request);
        int untilCounted = lost.changes().size() - 1;
        cluster.enactFirst(untilCounted, lost);

        var again = BlockEngine.assign(cluster.view(), request.after(List.of(lost)));

        var counted = cluster.view().findHandle("h").orElseThrow();
        assertThat(again.changes()).contains(new BlockChange.PutHandle(counted));
    }

    @ParameterizedTest
    @CsvSource({"3, 3, 0", "4, 0, 1", "40, 0, 1"})
    void fewFullBlocksAreNamedAndOfManyTheFirstAndTheirNumber(int full, int named, int counted) {
        var cluster = BlockCluster.with(pool("p", "192.168.0.0/16", 30));
        cluster.assign(cluster.request("node-a").ipv4(Ask.of(4 * full)).withMaxBlocksPerHost(100));

        var decision = BlockEngine.assign(
                cluster.view(), cluster.request("node-a").ipv4(Ask.of(1)).withMaxBlocksPerHost(100));

        assertThat(decision.outcome().addresses()).hasSize(1);
        assertThat(decision.because())
                .filteredOn(BlockReason.PassedOver.class::isInstance)
                .hasSize(named);
        assertThat(decision.because())
                .filteredOn(BlockReason.PassedOverFull.class::isInstance)
                .hasSize(counted)
                .allSatisfy(reason -> assertThat(reason.sentence())
                        .matches(("passed over %d blocks of host:node-a: they are"
                                        + " full \\((192\\.168\\.\\d+\\.\\d+/30,"
                                        + " ){2}192\\.168\\.\\d+\\.\\d+/30 and %d"
                                        + " more, which 'ipam show --show-blocks'"
                                        + " lists\\)")
                                .formatted(full, full - 3)));
    }
}
