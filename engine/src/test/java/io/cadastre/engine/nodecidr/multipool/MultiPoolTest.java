package io.cadastre.engine.nodecidr.multipool;

import static io.cadastre.engine.nodecidr.multipool.MultiPoolCluster.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Need;
import io.cadastre.engine.nodecidr.multipool.MultiPoolOutcome.Noted;
import io.cadastre.engine.nodecidr.multipool.MultiPoolOutcome.PoolRefused;
import io.cadastre.engine.nodecidr.multipool.MultiPoolReason.CountedAgain;
import io.cadastre.engine.nodecidr.multipool.MultiPoolReason.StillInUse;
import io.cadastre.engine.nodecidr.multipool.PodPoolSpec.OfFamily;
import io.cadastre.engine.nodecidr.multipool.PoolMigration.Migrated;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The scenarios of pools on the operator's side.
class MultiPoolTest {

    private static final String FAILED = "ipam-multi-pool-sync allocation failed: ";

    private static MultiPoolCluster cluster(PodPoolSpec... pools) {
        return new MultiPoolCluster().with(pools).synced();
    }

    @Test
    void ci40AFreshNodeGetsOneBlockAndItIsEnoughForRouterAndHealthToo() {
        var cluster = cluster(pool("default", 27, "10.10.0.0/16"));

        cluster.need("n1", "default", 8);
        var more = cluster.need("n1", "default", 16);

        assertThat(cluster.cidrs("n1", "default")).containsExactly("10.10.0.0/27");
        assertThat(more.changes()).isEmpty();
        assertThat(more.because()).containsExactly(new MultiPoolReason.Sufficient("default", 30, 16));
    }

    @Test
    void ci41ANeedOfAnotherPoolIsMet() {
        var cluster = cluster(pool("default", 27, "10.10.0.0/16"), pool("mars", 28, "10.20.0.0/16"));

        cluster.need("n1", List.of(new Need("default", 16, 0), new Need("mars", 1, 0)));

        assertThat(cluster.cidrs("n1", "mars")).containsExactly("10.20.0.0/28");
        assertThat(cluster.node("n1").allocated()).extracting(Entry::pool).containsExactly("default", "mars");
    }

    @Test
    void ci42ABlockThatTheNodeTookOffItsListIsFree() {
        var cluster = cluster(pool("mars", 28, "10.20.0.0/27"));
        cluster.need("n1", "mars", 20);

        cluster.need("n1", List.of());
        cluster.list("n1", "mars");
        cluster.need("n2", "mars", 20);

        assertThat(cluster.cidrs("n1", "mars")).isEmpty();
        assertThat(cluster.cidrs("n2", "mars")).containsExactly("10.20.0.0/28", "10.20.0.16/28");
    }

    @Test
    void ci43AsManyBlocksAsMeetTheNeedAndNoMore() {
        var cluster = cluster(pool("red", 28, "10.20.0.0/16"));

        cluster.need("n1", "red", 36);

        assertThat(cluster.cidrs("n1", "red")).containsExactly("10.20.0.0/28", "10.20.0.16/28", "10.20.0.32/28");
    }

    @ParameterizedTest
    @CsvSource({"false,false,2", "true,false,2", "false,true,2", "true,true,1"})
    void theEndsOfABlockCountWhereThePoolAllowsThem(boolean first, boolean last, int blocks) {
        var cluster = cluster(
                new PodPoolSpec("a", List.of(new OfFamily(Family.IPV4, List.of("10.0.0.0/29"), 30)), first, last));

        cluster.need("n1", "a", 4);

        assertThat(cluster.cidrs("n1", "a"))
                .isEqualTo(List.of("10.0.0.0/30", "10.0.0.4/30").subList(0, blocks));
        assertThat(cluster.node("n1").allocated().getFirst().allowFirst()).isEqualTo(first);
        assertThat(cluster.node("n1").allocated().getFirst().allowLast()).isEqualTo(last);
    }

    @Test
    void blocksThatTheNodeHasCountForItsNeed() {
        var cluster = cluster(pool("a", 24, "10.100.0.0/16"));
        cluster.list("n1", "a", "10.100.20.0/24");

        cluster.need("n1", "a", 300);

        assertThat(cluster.cidrs("n1", "a")).containsExactly("10.100.0.0/24", "10.100.20.0/24");
    }

    @ParameterizedTest
    @CsvSource({"31,2", "32,1"})
    void aTinyBlockCountsWholly(int mask, long usable) {
        var cluster = cluster(pool("a", mask, "10.0.0.0/24"));

        cluster.need("n1", "a", usable);

        assertThat(cluster.cidrs("n1", "a")).hasSize(1);
    }

    @Test
    void ci44OfAnUnknownPoolNothingIsGivenAndOtherPoolsAreServed() {
        var cluster = cluster(pool("red", 28, "10.20.0.0/16"));

        cluster.need("n1", List.of(new Need("blue", 8, 0), new Need("red", 8, 0)));

        assertThat(cluster.error("n1")).isEqualTo(FAILED + "cannot allocate from non-existing pool: blue");
        assertThat(cluster.cidrs("n1", "red")).containsExactly("10.20.0.0/28");
    }

    @Test
    void whatAnEmptyPoolGaveBeforeItWasEmptyIsKept() {
        var cluster = cluster(pool("red", 28, "10.20.0.0/27"));

        cluster.need("n1", List.of(new Need("red", 100, 1)));
        var again = cluster.event("n1");

        assertThat(cluster.cidrs("n1", "red")).containsExactly("10.20.0.0/28", "10.20.0.16/28");
        assertThat(cluster.error("n1"))
                .isEqualTo(FAILED + "failed to allocate ipv4 address for node \"n1\" from pool \"red\": pool empty\n"
                        + "failed to allocate ipv6 address for node \"n1\" from pool \"red\": pool empty");
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void ci46ABlockOfARemovedCidrIsAnOrphanUntilItsCidrIsBack() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/24", "10.30.0.0/24"));
        cluster.need("n1", "a", 8);

        var removed = cluster.put(pool("a", 28, "10.30.0.0/24"));
        cluster.event("n1");
        var listed = cluster.cidrs("n1", "a");
        var error = cluster.error("n1");
        var adopted = cluster.put(pool("a", 28, "10.30.0.0/24", "10.20.0.0/24"));
        cluster.event("n1");

        assertThat(removed.because()).containsExactly(new StillInUse("n1", Prefix.parse("10.20.0.0/28")));
        assertThat(listed).containsExactly("10.20.0.0/28", "10.30.0.0/28");
        assertThat(error)
                .isEqualTo(FAILED + "unable to reuse from pool a: cidr 10.20.0.0/28 is not part of the requested pool");
        assertThat(adopted.because()).containsExactly(new CountedAgain("n1", Prefix.parse("10.20.0.0/28")));
        assertThat(cluster.error("n1")).isEmpty();
    }

    @Test
    void aBlockOfADeletedPoolIsKeptFromOtherPoolsToo() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/24"));
        cluster.need("n1", "a", 8);
        cluster.drop("a");
        cluster.event("n1");

        cluster.put(pool("b", 28, "10.20.0.0/24"));
        cluster.need("n2", "b", 8);

        assertThat(cluster.cidrs("n1", "a")).containsExactly("10.20.0.0/28");
        assertThat(cluster.error("n1"))
                .contains("unable to find pool a, prefix 10.20.0.0/28 is still allocated to the node but is marked as"
                        + " orphan")
                .contains("cannot allocate from non-existing pool: a");
        assertThat(cluster.cidrs("n2", "b")).containsExactly("10.20.0.16/28");
    }

    @Test
    void ofTwoNodesThatListOneBlockTheSecondLosesIt() {
        var cluster = new MultiPoolCluster().with(pool("a", 28, "10.20.0.0/24"));
        cluster.list("n1", "a", "10.20.0.0/28");
        cluster.list("n2", "a", "10.20.0.0/28");
        cluster.synced();

        cluster.event("n1");
        cluster.event("n2");

        assertThat(cluster.cidrs("n1", "a")).containsExactly("10.20.0.0/28");
        assertThat(cluster.cidrs("n2", "a")).isEmpty();
        assertThat(cluster.error("n2"))
                .isEqualTo(FAILED + "unable to reuse from pool a: cidr 10.20.0.0/28 has already been allocated");
    }

    @Test
    void inAFullPoolTheSecondNodeReadsThatThePoolIsEmpty() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/28"));
        cluster.list("n1", "a", "10.20.0.0/28");

        cluster.list("n2", "a", "10.20.0.0/28");

        assertThat(cluster.error("n2")).isEqualTo(FAILED + "unable to reuse from pool a: pool empty");
    }

    @Test
    void untilAllNodesAreKnownNothingIsAdded() {
        var cluster = new MultiPoolCluster().with(pool("a", 28, "10.20.0.0/24"));

        var early = cluster.need("n1", "a", 8);
        cluster.list("n2", "a", "10.20.0.0/28");
        cluster.synced();
        cluster.event("n1");

        assertThat(early.outcome()).isEqualTo(new Noted("n1"));
        assertThat(cluster.cidrs("n1", "a")).containsExactly("10.20.0.16/28");
    }

    @Test
    void whatADeletedNodeHadIsFreeOrphansToo() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/28"), pool("b", 28, "10.30.0.0/28"));
        cluster.need("n1", List.of(new Need("a", 1, 0), new Need("b", 1, 0)));
        cluster.drop("b");

        cluster.delete("n1");
        cluster.put(pool("b", 28, "10.30.0.0/28"));
        cluster.need("n2", List.of(new Need("a", 1, 0), new Need("b", 1, 0)));

        assertThat(cluster.cidrs("n2", "a")).containsExactly("10.20.0.0/28");
        assertThat(cluster.cidrs("n2", "b")).containsExactly("10.30.0.0/28");
    }

    @Test
    void ci49AMaskOrAFlagOfAPoolCannotBeChanged() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/24"));

        var mask = cluster.put(pool("a", 27, "10.20.0.0/24")).outcome();
        var flag = cluster.put(new PodPoolSpec(
                        "a", List.of(new OfFamily(Family.IPV4, List.of("10.20.0.0/24"), 28)), true, false))
                .outcome();
        cluster.need("n1", "a", 1);

        assertThat(((PoolRefused) mask).fault().sentence())
                .isEqualTo("cannot change IPv4 mask size in existing pool \"a\"");
        assertThat(((PoolRefused) flag).fault().sentence())
                .isEqualTo("cannot change allowFirstIP in existing pool \"a\"");
        assertThat(cluster.cidrs("n1", "a")).containsExactly("10.20.0.0/28");
    }

    @Test
    void aPoolThatBreaksARuleStaysAsItWas() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/24"));

        var nested = cluster.put(pool("a", 28, "10.20.0.0/24", "10.20.0.0/26")).outcome();
        var unknown = cluster.drop("b").outcome();

        assertThat(((PoolRefused) nested).fault().sentence())
                .isEqualTo("pool \"a\": requested CIDR 10.20.0.0/26 collides with clusterCIDR: 10.20.0.0/24, nodeMask:"
                        + " 28");
        assertThat(((PoolRefused) unknown).fault().sentence())
                .isEqualTo("pool \"b\" requested for deletion doesn't exist");
    }

    @Test
    void aCidrMayBeReplacedByABiggerOne() {
        var cluster = cluster(pool("a", 28, "10.20.0.0/28"));
        cluster.need("n1", "a", 1);

        var decision = cluster.put(pool("a", 28, "10.20.0.0/24"));
        cluster.need("n2", "a", 1);

        assertThat(decision.outcome()).isEqualTo(new MultiPoolOutcome.PoolStored("a"));
        assertThat(cluster.cidrs("n2", "a")).containsExactly("10.20.0.16/28");
    }

    @Test
    void ci51CidrsOfClusterPoolMoveToTheDefaultPool() {
        var node = new MultiPoolNode("n1", List.of(), List.of(), "");

        var decision = PoolMigration.decide(node, List.of("10.0.3.0/24"), "default");

        assertThat(decision.outcome()).isEqualTo(Migrated.MOVED);
        assertThat(decision.changes())
                .containsExactly(new MultiPoolChange.WriteAllocated(
                        "n1", List.of(new Entry("default", false, false, List.of(Prefix.parse("10.0.3.0/24"))))));
    }

    @Test
    void ci51MovingTwiceIsMovingOnceAndWhatIsThereStays() {
        var entry = new Entry("default", true, false, List.of(Prefix.parse("10.0.3.0/24")));
        var other = new Entry("mars", false, false, List.of(Prefix.parse("10.20.0.0/28")));
        var node = new MultiPoolNode("n1", List.of(), List.of(entry, other), "");

        var again = PoolMigration.decide(node, List.of("10.0.3.0/24"), "default");

        assertThat(again.changes()).containsExactly(new MultiPoolChange.WriteAllocated("n1", List.of(entry, other)));
        assertThat(PoolMigration.decide(node, List.of(), "default").outcome()).isEqualTo(Migrated.NOTHING);
        assertThat(PoolMigration.decide(node, List.of("10.0.3.0/24", "x"), "default")
                        .changes())
                .containsExactly(new MultiPoolChange.WriteStatus(
                        "n1", "migration to multi-pool IPAM failed: invalid CIDR address: x"));
    }

    @Test
    void aPoolOfAnOptionIsRead() {
        assertThat(AutoPool.parse(
                        "default",
                        "ipv4-cidrs: 10.10.0.0/16, 10.11.0.0/16; ipv4-mask-size:27; ipv6-cidrs:fd00:10::/112;"
                                + " ipv6-mask-size:123; allow-last-ip:true; other:7"))
                .isEqualTo(new PodPoolSpec(
                        "default",
                        List.of(
                                new OfFamily(Family.IPV4, List.of("10.10.0.0/16", "10.11.0.0/16"), 27),
                                new OfFamily(Family.IPV6, List.of("fd00:10::/112"), 123)),
                        false,
                        true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ipv4-cidrs",
                "ipv4-cidrs:10.0.0.0/8",
                "ipv4-cidrs:10.0.0.0/8;ipv4-mask-size:x",
                "allow-first-ip:1"
            })
    void aPoolOfAnOptionThatCannotBeReadIsNamed(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> AutoPool.parse("a", text));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AutoPool.parse("a", "nothing"))
                .withMessage("invalid number of key delimiters in pool spec nothing");
    }
}
