package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.engine.pool.NicAddress;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.engine.pool.TopController;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.registry.UnsettledException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a store has no transactions, every place to stop is legal.
class SpiderBookOneByOneTest {

    private static final PodKey A = new PodKey("ns1", "a");
    private static final int ALWAYS = 1_000_000;

    private final Datastore store = new MemoryDatastore();

    private static final PoolPreference BOTH = new PoolPreference.Single(new PoolNames(List.of("p4"), List.of("p6")));

    private void pools() {
        PoolProcess.pool(store, "p4", "{\"subnet\":\"10.6.0.0/24\",\"ips\":[\"10.6.0.1-10.6.0.9\"]}");
        PoolProcess.pool(store, "p6", "{\"subnet\":\"fd00::/64\",\"ips\":[\"fd00::1-fd00::9\"]}");
    }

    private static List<String> given(PoolProcess agency) {
        return switch (agency.allocate(PoolProcess.request(A, "u1", BOTH, RequestedRoutes.NONE))) {
            case PoolAllocation.Allocated(var nics) ->
                nics.getFirst().addresses().stream().map(NicAddress::text).toList();
            case PoolAllocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    @Test
    void recordsComeBeforeTheEndpointAndGoBeforeIt() {
        pools();
        var one = new StoppingStore(store, ALWAYS);
        var agency = PoolProcess.on(one);

        given(agency);
        var added = one.takeWrites();
        agency.release(A, "u1", new PodState.Gone());
        var released = one.takeWrites();

        assertThat(added)
                .containsExactly("Update spiderippools/p4", "Update spiderippools/p6", "Create spiderendpoints/ns1/a");
        assertThat(released)
                .containsExactly("Update spiderippools/p4", "Update spiderippools/p6", "Delete spiderendpoints/ns1/a");
    }

    @Test
    void forcedReleaseEmptiesTheEndpointFirst() {
        pools();
        var one = new StoppingStore(store, ALWAYS);
        var agency = PoolProcess.on(one);
        given(agency);
        one.takeWrites();

        agency.forceRelease(A, "u1");

        assertThat(one.takeWrites())
                .containsExactly("Update spiderendpoints/ns1/a", "Update spiderippools/p4", "Update spiderippools/p6");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whoStoppedHalfWayGetsTheSameAddresses(int writes) {
        pools();
        var stopping = PoolProcess.on(new StoppingStore(store, writes));
        assertThatThrownBy(() -> given(stopping)).isInstanceOf(RuntimeException.class);

        var given = given(PoolProcess.on(new StoppingStore(store, ALWAYS)));

        assertThat(given).containsExactly("10.6.0.1/24", "fd00::1/64");
        assertThat(PoolProcess.pool(store, "p4").pool().records()).hasSize(1);
        assertThat(PoolProcess.pool(store, "p6").pool().records()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whoStoppedWhileGivingBackGivesTheRestBack(int writes) {
        pools();
        given(PoolProcess.on(store));
        var stopping = PoolProcess.on(new StoppingStore(store, writes));
        assertThatThrownBy(() -> stopping.release(A, "u1", new PodState.Gone())).isInstanceOf(RuntimeException.class);

        PoolProcess.on(new StoppingStore(store, ALWAYS)).release(A, "u1", new PodState.Gone());

        assertThat(PoolProcess.pool(store, "p4").pool().records()).isEmpty();
        assertThat(PoolProcess.pool(store, "p6").pool().records()).isEmpty();
        assertThat(store.get(SpiderKeys.endpoint(A))).isEmpty();
    }

    /// The request of a pod of a StatefulSet.
    private static PoolAllocateRequest keeping(String uid) {
        var plain = PoolProcess.request(A, uid, BOTH, RequestedRoutes.NONE);
        var pod = plain.pod();
        return new PoolAllocateRequest(
                new PodInfo(
                        A,
                        uid,
                        pod.node(),
                        pod.life(),
                        pod.labels(),
                        new TopController("apps/v1", "StatefulSet", "s"),
                        new Succession.SameName()),
                plain.nic(),
                plain.preferences(),
                plain.routes(),
                plain.networks(),
                plain.settings(),
                plain.conflicting());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void successorThatStoppedHalfWayTakesOverTheSameAddresses(int writes) {
        pools();
        PoolProcess.on(store).allocate(keeping("u1"));
        var before = store.get(SpiderKeys.endpoint(A)).orElseThrow().value();
        var stopping = PoolProcess.on(new StoppingStore(store, writes));
        assertThatThrownBy(() -> stopping.allocate(keeping("u2"))).isInstanceOf(RuntimeException.class);
        var between = store.get(SpiderKeys.endpoint(A)).orElseThrow().value();

        PoolProcess.on(new StoppingStore(store, ALWAYS)).allocate(keeping("u2"));

        assertThat(between).isEqualTo(before);
        for (var pool : List.of("p4", "p6")) {
            assertThat(PoolProcess.pool(store, pool).pool().records().values()).containsExactly(PoolRecord.of(A, "u2"));
        }
        assertThat(SpiderEndpointDocument.decode(
                                A,
                                store.get(SpiderKeys.endpoint(A)).orElseThrow().value())
                        .endpoint()
                        .uid())
                .isEqualTo("u2");
    }

    @Test
    void whatWasHalfDoneIsInTheLedger() {
        pools();
        var stopping = PoolProcess.on(new StoppingStore(store, 1));

        assertThatThrownBy(() -> given(stopping)).isInstanceOf(UnsettledException.class);

        assertThat(stopping.ledger().read(1, 10))
                .anySatisfy(recorded -> assertThat(recorded.entry().granted())
                        .extracting(holding -> holding.holder())
                        .containsExactly("pod/ns1/a/u1"));
    }
}
