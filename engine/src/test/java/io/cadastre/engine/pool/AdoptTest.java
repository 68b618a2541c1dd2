package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import org.junit.jupiter.api.Test;

/// A pod has an address that the pools do not know of.
class AdoptTest {

    private static final PodKey A = new PodKey("default", "a");
    private static final Address FIRST = Address.parse("172.18.40.40");

    private static PoolCluster cluster() {
        return PoolCluster.of(aPool("p", "172.18.40.0/24", "172.18.40.40-172.18.40.44"));
    }

    private static Decision<PoolChange, PoolAllocation> adopt(PoolCluster cluster, String uid, Address address) {
        return PoolEngine.adopt(cluster.view(), new AdoptRequest(A, uid, "n1", "eth0", address));
    }

    @Test
    void recordAndEndpointAreWrittenSoThatThePodCanGiveItBack() {
        var decision = adopt(cluster(), "u1", FIRST);

        assertThat(decision.changes())
                .hasSize(2)
                .startsWith(new Take("p", FIRST, new PoolRecord("default/a", "u1"), new NicPlace("n1", "eth0")));
        assertThat(decision.changes().getLast()).isInstanceOfSatisfying(PutEndpoint.class, put -> {
            assertThat(put.endpoint().uid()).isEqualTo("u1");
            assertThat(put.endpoint().node()).isEqualTo("n1");
            assertThat(put.endpoint().find("eth0").orElseThrow().addresses())
                    .extracting(NicAddress::text)
                    .containsExactly("172.18.40.40/24");
        });
    }

    @Test
    void whatThePodIsKnownToHaveIsLeftAsItIs() {
        var cluster = cluster();
        cluster.given(aPod("a", "u1").wanting("p"));

        var decision = adopt(cluster, "u1", FIRST);

        assertThat(decision.outcome()).isInstanceOf(PoolAllocation.Allocated.class);
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void addressOfAnotherPodIsRefused() {
        var cluster = cluster();
        cluster.given(aPod("b", "u2").wanting("p"));

        var decision = adopt(cluster, "u1", FIRST);

        assertThat(decision.outcome())
                .isEqualTo(new PoolAllocation.Refused(new PoolRefusal.HeldByAnother(FIRST, "default/b")));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void endpointOfALaterPodOfThatNameIsLeftAlone() {
        var cluster = cluster();
        cluster.given(aPod("a", "u2").wanting("p"));
        var second = Address.parse("172.18.40.41");

        var decision = adopt(cluster, "u1", second);

        assertThat(decision.changes())
                .containsExactly(new Take("p", second, new PoolRecord("default/a", "u1"), new NicPlace("n1", "eth0")));
    }

    @Test
    void addressOfNoPoolIsRefused() {
        var elsewhere = Address.parse("10.0.0.1");

        var decision = adopt(cluster(), "u1", elsewhere);

        assertThat(decision.outcome()).isEqualTo(new PoolAllocation.Refused(new PoolRefusal.InNoPool(elsewhere)));
    }
}
