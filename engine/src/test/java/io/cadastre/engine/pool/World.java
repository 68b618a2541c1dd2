package io.cadastre.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.pool.Allocation.Allocated;
import io.cadastre.engine.pool.ReleaseRequest.Standing;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A cluster in which every decision is written at once. After each change of it the map is surveyed.
final class World {

    private PoolView view;

    private World(PoolView view) {
        this.view = view;
    }

    static World of(PoolBuilder... pools) {
        return new World(
                PoolView.whole(
                        Arrays.stream(pools).map(PoolBuilder::build).toList(),
                        RangeSet.EMPTY,
                        List.of()));
    }

    World reserving(String... ranges) {
        view = view.withReserved(new RangeSet(Arrays.stream(ranges).map(Range::parse).toList()));
        return this;
    }

    /// Has a pool replaced, as somebody might by hand.
    World replacing(PoolBuilder pool) {
        var built = pool.build();
        view = view.withPool(built.name(), Optional.of(built));
        return this;
    }

    PoolView view() {
        return view;
    }

    Pool pool(String name) {
        return view.findPool(name).orElseThrow();
    }

    Endpoint endpoint(String namespace, String name) {
        return view.findEndpoint(new PodKey(namespace, name)).orElseThrow();
    }

    boolean hasEndpoint(String namespace, String name) {
        return view.findEndpoint(new PodKey(namespace, name)).isPresent();
    }

    Decision<PoolChange, Allocation> allocate(Asker asker) {
        return enact(PoolEngine.allocate(view, asker.request()));
    }

    /// The addresses of the interface that was asked for.
    List<String> given(Asker asker) {
        return switch (allocate(asker).outcome()) {
            case Allocated(var nics) ->
                    nics.stream()
                            .filter(nic -> nic.name().equals(asker.request().nic()))
                            .flatMap(nic -> nic.addresses().stream())
                            .map(NicAddress::text)
                            .toList();
            case Allocation.Refused(var refusal) -> throw new AssertionError(refusal.sentence());
        };
    }

    /// Why nothing was given. Nothing has changed.
    PoolRefusal refusal(Asker asker) {
        var decision = allocate(asker);
        assertThat(decision.changes()).isEmpty();
        return switch (decision.outcome()) {
            case Allocated(var nics) -> throw new AssertionError("given " + nics);
            case Allocation.Refused(var refusal) -> refusal;
        };
    }

    Decision<PoolChange, Release> release(PodKey key, String nic, String uid, Standing standing) {
        return enact(PoolEngine.release(view, new ReleaseRequest(key, nic, uid, standing)));
    }

    Decision<PoolChange, Release> forceRelease(PodKey key, String uid) {
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
