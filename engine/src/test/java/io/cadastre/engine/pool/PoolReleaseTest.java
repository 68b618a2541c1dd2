package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static io.cadastre.engine.pool.RequestBuilder.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.Holding;
import io.cadastre.engine.pool.PoolChange.DropEndpoint;
import io.cadastre.engine.pool.PoolChange.DropPool;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolReason.NotTheirs;
import io.cadastre.engine.pool.PoolReason.NothingReleased;
import io.cadastre.engine.pool.PoolRelease.Kept;
import io.cadastre.engine.pool.PoolRelease.Released;
import io.cadastre.engine.pool.PoolRelease.Why;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What is given back, and by whom.
class PoolReleaseTest {

    private static final PodKey A = new PodKey("default", "a");
    private static final Address FIRST = Address.parse("172.18.40.40");

    private static PoolBuilder pool() {
        return aPool("p", "172.18.40.0/24", "172.18.40.40-172.18.40.44");
    }

    private static PoolCluster servingA() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("a", "u1").wanting("p"));
        return cluster;
    }

    @Test
    void podThatLeavesGivesBackAllItsInterfaces() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("a", "u1").wantingEach(item("eth0", "p"), item("net1", "q")));

        var decision = cluster.release(A, "eth0", "", new PodState.Leaving("u1"));

        var record = new PoolRecord("default/a", "u1");
        assertThat(decision.outcome()).isEqualTo(new Released(List.of(FIRST, Address.parse("10.2.0.1"))));
        assertThat(decision.changes())
                .containsExactly(
                        new Free("p", FIRST, record, new NicPlace("n1", "eth0")),
                        new Free("q", Address.parse("10.2.0.1"), record, new NicPlace("n1", "net1")),
                        new DropEndpoint(A));
        assertThat(cluster.pool("p").records()).isEmpty();
        assertThat(cluster.hasEndpoint("default", "a")).isFalse();
    }

    @Test
    void podThatIsGoneGivesBackByItsUid() {
        var cluster = servingA();

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(FIRST)));
    }

    @Test
    @DisplayName("C70: a pod that lives keeps what it has")
    void podThatLivesKeepsWhatItHas() {
        var cluster = servingA();

        var decision = cluster.release(A, "eth0", "u1", new PodState.Alive());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.POD_LIVES));
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new NothingReleased(A, Why.POD_LIVES));
    }

    @Test
    @DisplayName("C34: a disabled pool takes back")
    void disabledPoolTakesBack() {
        var cluster = servingA();
        cluster.replacing(pool().disabled().holding("172.18.40.40", "default/a", "u1"));

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(FIRST)));
    }

    @Test
    @DisplayName("C105: a pod of that name in another namespace keeps its record")
    void podOfAnotherNamespaceKeepsItsRecord() {
        var cluster = PoolCluster.of(pool());
        cluster.given(aPod("ns1", "a", "u1").wanting("p"));
        cluster.given(aPod("ns2", "a", "u2").wanting("p"));

        cluster.release(new PodKey("ns1", "a"), "eth0", "u1", new PodState.Gone());

        assertThat(cluster.pool("p").records().values()).containsExactly(new PoolRecord("ns2/a", "u2"));
        assertThat(cluster.hasEndpoint("ns2", "a")).isTrue();
    }

    @Test
    @DisplayName("C106: another uid gives nothing back")
    void anotherUidGivesNothingBack() {
        var cluster = servingA();

        var decision = cluster.release(A, "eth0", "u9", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.OTHER_UID));
        assertThat(cluster.pool("p").records()).hasSize(1);
    }

    @Test
    @DisplayName("C107: without a uid and without the pod nothing is given back")
    void withoutAUidNothingIsGivenBack() {
        var cluster = servingA();

        var decision = cluster.release(A, "eth0", "", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_UID));
        assertThat(cluster.pool("p").records()).hasSize(1);
    }

    @Test
    void givingBackTwiceIsGivingBackOnce() {
        var cluster = servingA();
        cluster.release(A, "eth0", "u1", new PodState.Gone());

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_ENDPOINT));
    }

    @Test
    void interfaceThatIsNotRecordedGivesNothingBack() {
        var cluster = servingA();

        var decision = cluster.release(A, "net7", "u1", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_SUCH_NIC));
        assertThat(cluster.pool("p").records()).hasSize(1);
    }

    @Test
    void recordOfAnotherPodStays() {
        var cluster = servingA();
        cluster.replacing(pool().holding("172.18.40.40", "default/b", "u2"));

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of()));
        assertThat(decision.because()).containsExactly(new NotTheirs(FIRST, "p", A));
        assertThat(cluster.pool("p").records()).hasSize(1);
        assertThat(cluster.hasEndpoint("default", "a")).isFalse();
    }

    @Test
    void damagedPoolKeepsItsRecords() {
        var cluster = servingA();
        cluster.replacing(pool().damaged("invalid character"));

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.changes()).isEmpty();
        assertThat(((PoolRelease.Refused) decision.outcome()).refusal().sentence())
                .contains("IPPool p", "invalid character");
    }

    @Test
    void refusalForADamagedPoolKeepsTheReasonsOfTheOthers() {
        var cluster = PoolCluster.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("a", "u1").wantingEach(item("eth0", "p"), item("net1", "q")));
        cluster.replacing(pool().holding("172.18.40.40", "default/b", "u2"));
        cluster.replacing(aPool("q", "10.2.0.0/16", "10.2.0.1").damaged("invalid character"));

        var decision = cluster.release(A, "eth0", "u1", new PodState.Gone());

        assertThat(decision.because())
                .containsExactly(
                        new NotTheirs(FIRST, "p", A), new PoolFault("q", PoolFault.Rule.DAMAGED, "invalid character"));
    }

    @Test
    void recordsWithoutASlashOrWithTwoAreShownAndStayUntilTheirPodGivesThemBack() {
        var cluster = servingA();
        cluster.replacing(pool().holding("172.18.40.40", "default/a", "u1")
                .holding("172.18.40.41", "nowhere", "u2")
                .holding("172.18.40.42", "default/a/b", "u1"));

        cluster.release(A, "eth0", "u1", new PodState.Gone());
        var given = cluster.given(aPod("b", "u3").wanting("p"));
        var next = cluster.given(aPod("c", "u4").wanting("p"));

        assertThat(given).containsExactly("172.18.40.40/24");
        assertThat(next).containsExactly("172.18.40.43/24");
        assertThat(PoolHoldings.of(cluster.view()))
                .extracting(Holding::holder)
                .contains("pod/nowhere/u2", "pod/default/a/b/u1");
    }

    @Test
    @DisplayName("C18: a pool whose deletion has begun goes with its last record")
    void terminatingPoolGoesWithItsLastRecord() {
        var cluster = PoolCluster.of(pool());
        cluster.given(aPod("a", "u1").wanting("p"));
        cluster.given(aPod("b", "u2").wanting("p"));
        cluster.replacing(pool().terminating()
                .holding("172.18.40.40", "default/a", "u1")
                .holding("172.18.40.41", "default/b", "u2"));

        var first = cluster.release(A, "eth0", "u1", new PodState.Gone());
        var last = cluster.release(new PodKey("default", "b"), "eth0", "u2", new PodState.Gone());

        assertThat(first.changes()).doesNotContain(new DropPool("p"));
        assertThat(last.changes()).contains(new DropPool("p"));
        assertThat(cluster.view().findPool("p")).isEmpty();
    }

    @Test
    @DisplayName("C125: what is forced back empties the endpoint first")
    void forcedReleaseEmptiesTheEndpointFirst() {
        var cluster = servingA();

        var decision = cluster.forceRelease(A, "u1");

        var emptied = cluster.endpoint("default", "a");
        assertThat(emptied.nics()).isEmpty();
        assertThat(decision.changes())
                .containsExactly(
                        new PutEndpoint(emptied),
                        new Free("p", FIRST, new PoolRecord("default/a", "u1"), new NicPlace("n1", "eth0")));
    }

    @Test
    void podThatWasForcedToGiveBackMayAskAgain() {
        var cluster = servingA();
        cluster.forceRelease(A, "u1");

        var given = cluster.given(aPod("a", "u1").wanting("q"));

        assertThat(given).containsExactly("10.2.0.1/16");
    }

    @Test
    void forcingTwiceIsForcingOnce() {
        var cluster = servingA();
        cluster.forceRelease(A, "u1");

        var decision = cluster.forceRelease(A, "u1");

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isEqualTo(new Released(List.of()));
    }

    @Test
    void forcingNeedsTheEndpointOfThatUid() {
        var cluster = servingA();

        var missing = cluster.forceRelease(new PodKey("default", "b"), "u1");
        var other = cluster.forceRelease(A, "u9");

        assertThat(((PoolRelease.Refused) missing.outcome()).refusal().sentence())
                .contains("failed to get SpiderEndpoint 'default/b'", "not found");
        assertThat(((PoolRelease.Refused) other.outcome()).refusal().sentence())
                .isEqualTo("the SpiderEndpoint recorded PodUID 'u1' is unmacthed with the given PodUID" + " 'u9'");
    }
}
