package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static io.cadastre.engine.pool.RequestBuilder.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PoolChange.DropPool;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import io.cadastre.engine.pool.PoolReason.NicNotKept;
import io.cadastre.engine.pool.PoolReason.NicNotKept.Cause;
import io.cadastre.engine.pool.PoolReason.NothingReleased;
import io.cadastre.engine.pool.PoolReason.Restored;
import io.cadastre.engine.pool.PoolReason.Retained;
import io.cadastre.engine.pool.PoolRelease.Kept;
import io.cadastre.engine.pool.PoolRelease.Released;
import io.cadastre.engine.pool.PoolRelease.Why;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.keep.Succession;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Addresses of pods that have successors.
class KeptAddressesTest {

    private static final PodKey S0 = new PodKey("default", "s-0");

    private static PoolBuilder poolA() {
        return aPool("a", "10.1.0.0/16", "10.1.0.1-10.1.0.9");
    }

    private static PoolBuilder poolB() {
        return aPool("b", "10.2.0.0/16", "10.2.0.1-10.2.0.9");
    }

    private static PoolBuilder poolC() {
        return aPool("c", "10.3.0.0/16", "10.3.0.1-10.3.0.9");
    }

    private static RequestBuilder machine(String pod, String uid, String pool) {
        return aPod(pod, uid).wanting(pool).leaving(new Succession.SameMachine("vm1"));
    }

    private static PoolRecord record(String pod, String uid) {
        return new PoolRecord("default/" + pod, uid);
    }

    private static Address address(String text) {
        return Address.parse(text);
    }

    @Test
    @DisplayName("C72: the pods of a StatefulSet keep their addresses over their deletion, on another node too")
    void successorOfTheSameNameKeepsTheAddress() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.given(aPod("s-1", "u2").wanting("a").keeping());

        var second = cluster.given(aPod("s-1", "u4").wanting("a").on("n2").keeping());
        var decision = cluster.allocate(aPod("s-0", "u3").wanting("a").on("n2").keeping());

        assertThat(second).containsExactly("10.1.0.2/16");
        assertThat(decision.changes())
                .containsExactly(
                        new Free("a", address("10.1.0.1"), record("s-0", "u1"), new NicPlace("n1", "eth0")),
                        new Take("a", address("10.1.0.1"), record("s-0", "u3"), new NicPlace("n2", "eth0")),
                        new PutEndpoint(cluster.endpoint("default", "s-0")));
        assertThat(decision.because()).contains(new Retained(S0, "u1"));
        assertThat(cluster.pool("a").records())
                .containsOnly(
                        entry(address("10.1.0.1"), record("s-0", "u3")),
                        entry(address("10.1.0.2"), record("s-1", "u4")));
        assertThat(cluster.endpoint("default", "s-0").uid()).isEqualTo("u3");
        assertThat(cluster.endpoint("default", "s-0").node()).isEqualTo("n2");
        assertThat(cluster.endpoint("default", "s-0").ownership()).isEqualTo(Ownership.UNOWNED);
    }

    @Test
    void podThatAsksTwiceChangesNothing() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());

        var again = cluster.allocate(aPod("s-0", "u1").wanting("a").keeping());

        assertThat(again.changes()).isEmpty();
        assertThat(again.outcome())
                .isEqualTo(new PoolAllocation.Allocated(
                        cluster.endpoint("default", "s-0").nics()));
    }

    @Test
    void takeoverThatStoppedAfterThePoolsIsCompleted() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.replacing(poolA().holding("10.1.0.1", "default/s-0", "u2"));

        var given = cluster.given(aPod("s-0", "u2").wanting("a").keeping());

        assertThat(given).containsExactly("10.1.0.1/16");
        assertThat(cluster.endpoint("default", "s-0").uid()).isEqualTo("u2");
    }

    @Test
    @DisplayName("C75: a pod whose StatefulSet names another pool moves there, and its old record is removed")
    void podMovesToAPoolThatIsNamedInstead() {
        var cluster = PoolCluster.of(poolA(), poolB());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("b").keeping());

        assertThat(cluster.pool("a").records()).isEmpty();
        assertThat(cluster.pool("b").records()).containsEntry(address("10.2.0.1"), record("s-0", "u2"));
        assertThat(cluster.endpoint("default", "s-0").uid()).isEqualTo("u2");
        assertThat(decision.because()).contains(new NicNotKept("eth0", Cause.OTHER_POOLS));
    }

    @Test
    @DisplayName("C75: if the other pool has nothing, the pod keeps what it has")
    void podThatCannotMoveLosesNothing() {
        var cluster = PoolCluster.of(poolA(), aPool("b", "10.2.0.0/16", "10.2.0.1"));
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.given(aPod("x", "u9").wanting("b"));

        var refusal = cluster.refusal(aPod("s-0", "u2").wanting("b").keeping());

        assertThat(refusal.sentence()).contains("all IP addresses used out");
        assertThat(cluster.pool("a").records()).containsEntry(address("10.1.0.1"), record("s-0", "u1"));
    }

    @Test
    void poolWhoseDeletionHasBegunGoesWithTheLastPodThatMoves() {
        var cluster = PoolCluster.of(poolA(), poolB());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.replacing(poolA().terminating().holding("10.1.0.1", "default/s-0", "u1"));

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("b").keeping());

        assertThat(decision.changes()).contains(new DropPool("a"));
    }

    @Test
    @DisplayName("C76: of two interfaces only the one moves whose pool is not named any more")
    void onlyTheInterfaceWhosePoolChangedMoves() {
        var cluster = PoolCluster.of(poolA(), poolB(), poolC());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.given(aPod("s-0", "u1").wanting("b").forNic("net1").keeping());

        var eth0 = cluster.given(aPod("s-0", "u2").wanting("a").keeping());
        var net1 = cluster.given(aPod("s-0", "u2").wanting("c").forNic("net1").keeping());

        assertThat(eth0).containsExactly("10.1.0.1/16");
        assertThat(net1).containsExactly("10.3.0.1/16");
        assertThat(cluster.pool("a").records()).containsEntry(address("10.1.0.1"), record("s-0", "u2"));
        assertThat(cluster.pool("b").records()).isEmpty();
    }

    @Test
    void interfacesWithoutNamesKeepTheirAddresses() {
        var cluster = PoolCluster.of(poolA(), poolB());
        cluster.given(
                aPod("s-0", "u1").wantingEach(item("", "a"), item("", "b")).keeping());
        cluster.given(aPod("s-0", "u1")
                .wantingEach(item("", "a"), item("", "b"))
                .forNic("net1")
                .keeping());
        cluster.given(aPod("x", "u9").wanting("a"));

        var eth0 = cluster.given(
                aPod("s-0", "u2").wantingEach(item("", "a"), item("", "b")).keeping());
        var net1 = cluster.given(aPod("s-0", "u2")
                .wantingEach(item("", "a"), item("", "b"))
                .forNic("net1")
                .keeping());

        assertThat(eth0).containsExactly("10.1.0.1/16");
        assertThat(net1).containsExactly("10.2.0.1/16");
        assertThat(cluster.pool("a").records()).hasSize(2);
        assertThat(cluster.pool("b").records()).hasSize(1);
    }

    @Test
    void interfacesWithoutNamesMoveTogether() {
        var cluster = PoolCluster.of(poolA(), poolB(), poolC());
        cluster.given(
                aPod("s-0", "u1").wantingEach(item("", "a"), item("", "b")).keeping());

        cluster.given(
                aPod("s-0", "u2").wantingEach(item("", "a"), item("", "c")).keeping());

        assertThat(cluster.pool("a").records()).containsOnly(entry(address("10.1.0.1"), record("s-0", "u2")));
        assertThat(cluster.pool("b").records()).isEmpty();
        assertThat(cluster.pool("c").records()).hasSize(1);
        assertThat(cluster.endpoint("default", "s-0").nics())
                .extracting(Nic::name)
                .containsExactly("eth0", "");
    }

    @Test
    void recordThatIsMissingIsWrittenAgainIfTheAddressIsFree() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.replacing(poolA());

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("a").keeping());

        assertThat(cluster.pool("a").records()).containsEntry(address("10.1.0.1"), record("s-0", "u2"));
        assertThat(decision.because()).contains(new Restored(address("10.1.0.1"), "a"));
    }

    @Test
    void recordThatIsMissingIsReplacedIfTheAddressIsReserved() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.replacing(poolA()).reserving("10.1.0.1");

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("a").keeping());

        assertThat(cluster.endpoint("default", "s-0").nics().getFirst().addresses())
                .extracting(NicAddress::text)
                .containsExactly("10.1.0.2/16");
        assertThat(decision.because()).contains(new NicNotKept("eth0", Cause.RECORD_LOST));
    }

    /// A release that stops between the pool and the endpoint leaves such an endpoint.
    @Test
    void addressThatAnotherPodHasByNowIsReplaced() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.replacing(poolA().holding("10.1.0.1", "default/other", "u9"));

        var decision = cluster.allocate(aPod("s-0", "u2").wanting("a").keeping());

        assertThat(decision.because()).contains(new NicNotKept("eth0", Cause.RECORD_LOST));
        assertThat(decision.changes()).noneMatch(Free.class::isInstance);
        assertThat(cluster.pool("a").records())
                .containsOnly(
                        entry(address("10.1.0.1"), record("other", "u9")),
                        entry(address("10.1.0.2"), record("s-0", "u2")));
        assertThat(cluster.endpoint("default", "s-0").uid()).isEqualTo("u2");
    }

    @Test
    @DisplayName("C80: the next pod of a virtual machine has its address, under the name of the machine")
    void nextPodOfAMachineHasItsAddress() {
        var cluster = PoolCluster.of(poolA(), poolB());
        cluster.given(machine("vm1-a", "u1", "a"));

        var given = cluster.given(machine("vm1-b", "u2", "a"));
        var evenWith = cluster.given(machine("vm1-c", "u3", "b"));

        assertThat(given).containsExactly("10.1.0.1/16");
        assertThat(evenWith).as("pools of a machine may change").containsExactly("10.1.0.1/16");
        assertThat(cluster.pool("a").records()).containsOnly(entry(address("10.1.0.1"), record("vm1", "u3")));
        assertThat(cluster.endpoint("default", "vm1").uid()).isEqualTo("u3");
        assertThat(cluster.hasEndpoint("default", "vm1-a")).isFalse();
    }

    @Test
    @DisplayName("C72: a DEL leaves what the pod has to its successor")
    void delLeavesTheAddressToTheSuccessor() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());

        var leaving = cluster.releaseToSuccessor(S0, "eth0", "u1", new PodState.Leaving("u1"));
        var gone = cluster.releaseToSuccessor(S0, "eth0", "u1", new PodState.Gone());

        assertThat(leaving.outcome()).isEqualTo(new Kept(Why.SUCCESSOR_EXPECTED));
        assertThat(leaving.because()).containsExactly(new NothingReleased(S0, Why.SUCCESSOR_EXPECTED));
        assertThat(gone.outcome()).isEqualTo(new Kept(Why.SUCCESSOR_EXPECTED));
        assertThat(cluster.pool("a").records()).hasSize(1);
    }

    @Test
    @DisplayName("C73: without a successor a DEL gives back, and the endpoint goes")
    void delWithoutASuccessorGivesBack() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());

        var decision = cluster.release(S0, "eth0", "u1", new PodState.Leaving("u1"));

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(address("10.1.0.1"))));
        assertThat(cluster.hasEndpoint("default", "s-0")).isFalse();
    }

    @Test
    @DisplayName("C78: an endpoint that goes with its pod is not left to a successor")
    void endpointThatGoesWithItsPodIsReleased() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a"));

        var decision = cluster.releaseToSuccessor(S0, "eth0", "u1", new PodState.Leaving("u1"));

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(address("10.1.0.1"))));
    }

    @Test
    void emptiedEndpointIsFilledAgain() {
        var cluster = PoolCluster.of(poolA());
        cluster.given(aPod("s-0", "u1").wanting("a").keeping());
        cluster.forceRelease(S0, "u1");

        var given = cluster.given(
                aPod("s-0", "u1").wanting("a").shunning("10.1.0.1").keeping());

        assertThat(given).containsExactly("10.1.0.2/16");
        assertThat(cluster.endpoint("default", "s-0").ownership()).isEqualTo(Ownership.UNOWNED);
    }
}
