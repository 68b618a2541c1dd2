package io.cadastre.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.PoolAllocation.Allocated;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.keep.Succession.Successor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A cluster in which every decision is written at once. After each change of it the map is surveyed.
final class PoolCluster {

    private PoolView view;

    private PoolCluster(PoolView view) {
        this.view = view;
    }

    static PoolCluster of(PoolBuilder... pools) {
        return new PoolCluster(
                PoolView.whole(Arrays.stream(pools).map(PoolBuilder::build).toList(), RangeSet.EMPTY, List.of()));
    }

    PoolCluster reserving(String... ranges) {
        view = view.withReserved(
                new RangeSet(Arrays.stream(ranges).map(Range::parse).toList()));
        return this;
    }

    /// Replaces a pool, as an operator might by hand.
    PoolCluster replacing(PoolBuilder pool) {
        var built = pool.build();
        view = view.withPool(built.name(), Optional.of(built));
        return this;
    }

    PoolView view() {
        return view;
    }

    AddressPool pool(String name) {
        return view.findPool(name).orElseThrow();
    }

    PodEndpoint endpoint(String namespace, String name) {
        return view.findEndpoint(new PodKey(namespace, name)).orElseThrow();
    }

    boolean hasEndpoint(String namespace, String name) {
        return view.findEndpoint(new PodKey(namespace, name)).isPresent();
    }

    Decision<PoolChange, PoolAllocation> allocate(RequestBuilder asker) {
        return enact(PoolEngine.allocate(view, asker.request()));
    }

    /// The addresses of the interface that was asked for.
    List<String> given(RequestBuilder asker) {
        return switch (allocate(asker).outcome()) {
            case Allocated(var nics) ->
                nics.stream()
                        .filter(nic -> nic.name().equals(asker.request().nic()))
                        .flatMap(nic -> nic.addresses().stream())
                        .map(NicAddress::text)
                        .toList();
            case PoolAllocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    /// Why nothing was given. Nothing has changed.
    PoolRefusal refusal(RequestBuilder asker) {
        var decision = allocate(asker);
        assertThat(decision.changes()).isEmpty();
        return switch (decision.outcome()) {
            case Allocated(var nics) -> throw new AssertionError("given " + nics);
            case PoolAllocation.Refused(var refusal) -> refusal;
        };
    }

    Decision<PoolChange, PoolRelease> release(PodKey key, String nic, String uid, PodState standing) {
        return enact(PoolEngine.release(view, new PoolReleaseRequest(key, nic, uid, standing)));
    }

    /// Another pod is going to have what this one has.
    Decision<PoolChange, PoolRelease> releaseToSuccessor(PodKey key, String nic, String uid, PodState standing) {
        return enact(PoolEngine.release(view, new PoolReleaseRequest(key, nic, uid, standing, Successor.EXPECTED)));
    }

    Decision<PoolChange, PoolRelease> forceRelease(PodKey key, String uid) {
        return enact(PoolEngine.forceRelease(view, new ForcedReleaseRequest(key, uid)));
    }

    private <O> Decision<PoolChange, O> enact(Decision<PoolChange, O> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
            assertThat(Survey.of(PoolHoldings.of(view))).isEmpty();
        }
        return decision;
    }
}
