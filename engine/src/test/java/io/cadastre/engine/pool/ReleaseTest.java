package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.Asker.aPod;
import static io.cadastre.engine.pool.Asker.item;
import static io.cadastre.engine.pool.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PoolChange.DropEndpoint;
import io.cadastre.engine.pool.PoolChange.DropPool;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolReason.NotTheirs;
import io.cadastre.engine.pool.PoolReason.NothingReleased;
import io.cadastre.engine.pool.Release.Kept;
import io.cadastre.engine.pool.Release.Released;
import io.cadastre.engine.pool.Release.Why;
import io.cadastre.engine.pool.ReleaseRequest.Standing;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/// What is given back, and by whom.
class ReleaseTest {

    private static final PodKey A = new PodKey("default", "a");
    private static final Address FIRST = Address.parse("172.18.40.40");

    private static PoolBuilder pool() {
        return aPool("p", "172.18.40.0/24", "172.18.40.40-172.18.40.44");
    }

    private static World servingA() {
        var world = World.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        world.given(aPod("a", "u1").wanting("p"));
        return world;
    }

    @Test
    void podThatLeavesGivesBackAllItsInterfaces() {
        var world = World.of(pool(), aPool("q", "10.2.0.0/16", "10.2.0.1"));
        world.given(aPod("a", "u1").wantingEach(item("eth0", "p"), item("net1", "q")));

        var decision = world.release(A, "eth0", "", new Standing.Leaving("u1"));

        var tenancy = new Tenancy("default/a", "u1");
        assertThat(decision.outcome())
                .isEqualTo(new Released(List.of(FIRST, Address.parse("10.2.0.1"))));
        assertThat(decision.changes())
                .containsExactly(
                        new Free("p", FIRST, tenancy, new NicPlace("n1", "eth0")),
                        new Free(
                                "q",
                                Address.parse("10.2.0.1"),
                                tenancy,
                                new NicPlace("n1", "net1")),
                        new DropEndpoint(A));
        assertThat(world.pool("p").records()).isEmpty();
        assertThat(world.hasEndpoint("default", "a")).isFalse();
    }

    @Test
    void podThatIsGoneGivesBackByItsUid() {
        var world = servingA();

        var decision = world.release(A, "eth0", "u1", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(FIRST)));
    }

    @Test
    @DisplayName("C70: a pod that lives keeps what it has")
    void podThatLivesKeepsWhatItHas() {
        var world = servingA();

        var decision = world.release(A, "eth0", "u1", new Standing.Alive());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.POD_LIVES));
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new NothingReleased(A, Why.POD_LIVES));
    }

    @Test
    @DisplayName("C34: a disabled pool takes back")
    void disabledPoolTakesBack() {
        var world = servingA();
        world.replacing(pool().disabled().holding("172.18.40.40", "default/a", "u1"));

        var decision = world.release(A, "eth0", "u1", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of(FIRST)));
    }

    @Test
    @DisplayName("C105: a pod of that name in another namespace keeps its record")
    void podOfAnotherNamespaceKeepsItsRecord() {
        var world = World.of(pool());
        world.given(aPod("ns1", "a", "u1").wanting("p"));
        world.given(aPod("ns2", "a", "u2").wanting("p"));

        world.release(new PodKey("ns1", "a"), "eth0", "u1", new Standing.Gone());

        assertThat(world.pool("p").records().values()).containsExactly(new Tenancy("ns2/a", "u2"));
        assertThat(world.hasEndpoint("ns2", "a")).isTrue();
    }

    @Test
    @DisplayName("C106: another uid gives nothing back")
    void anotherUidGivesNothingBack() {
        var world = servingA();

        var decision = world.release(A, "eth0", "u9", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.OTHER_UID));
        assertThat(world.pool("p").records()).hasSize(1);
    }

    @Test
    @DisplayName("C107: without a uid and without the pod nothing is given back")
    void withoutAUidNothingIsGivenBack() {
        var world = servingA();

        var decision = world.release(A, "eth0", "", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_UID));
        assertThat(world.pool("p").records()).hasSize(1);
    }

    @Test
    void givingBackTwiceIsGivingBackOnce() {
        var world = servingA();
        world.release(A, "eth0", "u1", new Standing.Gone());

        var decision = world.release(A, "eth0", "u1", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_ENDPOINT));
    }

    @Test
    void interfaceThatIsNotRecordedGivesNothingBack() {
        var world = servingA();

        var decision = world.release(A, "net7", "u1", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Kept(Why.NO_SUCH_NIC));
        assertThat(world.pool("p").records()).hasSize(1);
    }

    @Test
    void recordOfSomebodyElseStays() {
        var world = servingA();
        world.replacing(pool().holding("172.18.40.40", "default/b", "u2"));

        var decision = world.release(A, "eth0", "u1", new Standing.Gone());

        assertThat(decision.outcome()).isEqualTo(new Released(List.of()));
        assertThat(decision.because()).containsExactly(new NotTheirs(FIRST, "p", A));
        assertThat(world.pool("p").records()).hasSize(1);
        assertThat(world.hasEndpoint("default", "a")).isFalse();
    }

    @Test
    void damagedPoolKeepsWhatIsInIt() {
        var world = servingA();
        world.replacing(pool().damaged("invalid character"));

        var decision = world.release(A, "eth0", "u1", new Standing.Gone());

        assertThat(decision.changes()).isEmpty();
        assertThat(((Release.Refused) decision.outcome()).refusal().sentence())
                .contains("IPPool p", "invalid character");
    }

    @Test
    @DisplayName("C18: a pool whose deletion has begun goes with its last record")
    void terminatingPoolGoesWithItsLastRecord() {
        var world = World.of(pool());
        world.given(aPod("a", "u1").wanting("p"));
        world.given(aPod("b", "u2").wanting("p"));
        world.replacing(
                pool().terminating()
                        .holding("172.18.40.40", "default/a", "u1")
                        .holding("172.18.40.41", "default/b", "u2"));

        var first = world.release(A, "eth0", "u1", new Standing.Gone());
        var last = world.release(new PodKey("default", "b"), "eth0", "u2", new Standing.Gone());

        assertThat(first.changes()).doesNotContain(new DropPool("p"));
        assertThat(last.changes()).contains(new DropPool("p"));
        assertThat(world.view().findPool("p")).isEmpty();
    }

    @Test
    @DisplayName("C125: what is forced back empties the endpoint first")
    void forcedReleaseEmptiesTheEndpointFirst() {
        var world = servingA();

        var decision = world.forceRelease(A, "u1");

        var emptied = world.endpoint("default", "a");
        assertThat(emptied.nics()).isEmpty();
        assertThat(decision.changes())
                .containsExactly(
                        new PutEndpoint(emptied),
                        new Free(
                                "p",
                                FIRST,
                                new Tenancy("default/a", "u1"),
                                new NicPlace("n1", "eth0")));
    }

    @Test
    void podThatWasForcedToGiveBackMayAskAgain() {
        var world = servingA();
        world.forceRelease(A, "u1");

        var given = world.given(aPod("a", "u1").wanting("q"));

        assertThat(given).containsExactly("10.2.0.1/16");
    }

    @Test
    void forcingTwiceIsForcingOnce() {
        var world = servingA();
        world.forceRelease(A, "u1");

        var decision = world.forceRelease(A, "u1");

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.outcome()).isEqualTo(new Released(List.of()));
    }

    @Test
    void forcingNeedsTheEndpointOfThatUid() {
        var world = servingA();

        var missing = world.forceRelease(new PodKey("default", "b"), "u1");
        var other = world.forceRelease(A, "u9");

        assertThat(((Release.Refused) missing.outcome()).refusal().sentence())
                .contains("failed to get SpiderEndpoint 'default/b'", "not found");
        assertThat(((Release.Refused) other.outcome()).refusal().sentence())
                .isEqualTo(
                        "the SpiderEndpoint recorded PodUID 'u1' is unmacthed with the given PodUID"
                                + " 'u9'");
    }
}
