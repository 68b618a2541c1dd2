package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PoolChange.Bar;
import io.cadastre.engine.pool.PoolChange.DropEndpoint;
import io.cadastre.engine.pool.PoolChange.DropPool;
import io.cadastre.engine.pool.PoolChange.Free;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolReason.NotTheirs;
import io.cadastre.engine.pool.PoolReason.NothingReleased;
import io.cadastre.engine.pool.PoolRelease.Kept;
import io.cadastre.engine.pool.PoolRelease.Why;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.keep.Succession.Successor;
import java.util.ArrayList;
import java.util.List;

/// Gives pods addresses of pools that all nodes share, the way Spiderpool does.
public final class PoolEngine {

    private PoolEngine() {}

    /// Gives an interface of a pod an address of each family that is named for it, of all or of none.
    public static Decision<PoolChange, PoolAllocation> allocate(PoolView view, PoolAllocateRequest request) {
        return new PoolAllocator(view, request).decide();
    }

    /// The same after attempts that were not answered. What one of them has not taken by now it can take no more:
    /// each pool that it would write and this decision does not is rewritten. And what one of them has taken
    /// that the pod has not is taken back.
    public static Decision<PoolChange, PoolAllocation> allocate(
            PoolView view, PoolAllocateRequest request, List<Decision<PoolChange, PoolAllocation>> earlier) {
        var decision = allocate(view, request);
        if (earlier.isEmpty()) {
            return decision;
        }
        var written = pools(decision.changes());
        var record = request.pod().record();
        var changes = new ArrayList<>(decision.changes());
        earlier.stream()
                .flatMap(attempt -> pools(attempt.changes()).stream())
                .distinct()
                .filter(pool -> !written.contains(pool))
                .filter(pool -> view.findPool(pool)
                        .filter(found -> found.find(record).isEmpty())
                        .isPresent())
                .forEach(pool -> changes.add(new Bar(pool)));
        changes.addAll(unused(view, request, decision, earlier));
        return new Decision<>(decision.outcome(), changes, decision.because());
    }

    /// Takes back what attempts have taken that the pod has not: an attempt that did not know the endpoint of the pod
    /// may have chosen another pool.
    private static List<PoolChange> unused(
            PoolView view,
            PoolAllocateRequest request,
            Decision<PoolChange, PoolAllocation> decision,
            List<Decision<PoolChange, PoolAllocation>> earlier) {
        var record = request.pod().record();
        var left = earlier.stream()
                .flatMap(attempt -> attempt.changes().stream())
                .filter(Take.class::isInstance)
                .map(Take.class::cast)
                .filter(take -> take.record().equals(record))
                .distinct()
                .filter(take -> view.findPool(take.pool())
                        .filter(pool -> pool.held()
                                .find(take.address())
                                .filter(record::equals)
                                .isPresent())
                        .isPresent())
                .toList();
        if (left.isEmpty()) {
            return List.of();
        }
        var had = new ArrayList<Nic>();
        switch (decision.outcome()) {
            case PoolAllocation.Allocated(var nics) -> had.addAll(nics);
            // What it takes it can have when it asks again.
            case PoolAllocation.Refused _ -> {
                return List.of();
            }
        }
        view.findEndpoint(request.pod().holder())
                .filter(endpoint -> endpoint.uid().equals(record.podUid()))
                .ifPresent(endpoint -> had.addAll(endpoint.nics()));
        return left.stream()
                .filter(take -> had.stream()
                        .flatMap(nic -> nic.addresses().stream())
                        .noneMatch(one -> one.address().equals(take.address())))
                .<PoolChange>map(take -> new Free(take.pool(), take.address(), record, take.place()))
                .toList();
    }

    /// The pools in which something is given.
    private static List<String> pools(List<PoolChange> changes) {
        return changes.stream()
                .filter(Take.class::isInstance)
                .map(change -> ((Take) change).pool())
                .distinct()
                .toList();
    }

    /// Gives a pod an address that it has already, where pools were put back from a backup and do not know
    /// it.
    public static Decision<PoolChange, PoolAllocation> adopt(PoolView view, AdoptRequest request) {
        return new AddressAdoption(view, request).decide();
    }

    /// Takes back all that a pod has, unless it lives or another pod is going to have it.
    public static Decision<PoolChange, PoolRelease> release(PoolView view, PoolReleaseRequest request) {
        return switch (request.standing()) {
            case PodState.Alive _ -> kept(request.key(), Why.POD_LIVES);
            case PodState.Leaving(var uid) -> release(view, request, uid.isEmpty() ? request.uid() : uid);
            case PodState.Gone _ -> release(view, request, request.uid());
        };
    }

    private static Decision<PoolChange, PoolRelease> release(PoolView view, PoolReleaseRequest request, String uid) {
        var key = request.key();
        if (uid.isEmpty()) {
            return kept(key, Why.NO_UID);
        }
        var found = view.findEndpoint(key);
        if (found.isEmpty()) {
            return kept(key, Why.NO_ENDPOINT);
        }
        var endpoint = found.get();
        // An endpoint that goes with its pod is of no use to a successor.
        if (request.successor() == Successor.EXPECTED && endpoint.ownership() == Ownership.UNOWNED) {
            return kept(key, Why.SUCCESSOR_EXPECTED);
        }
        if (!endpoint.uid().equals(uid)) {
            return kept(key, Why.OTHER_UID);
        }
        if (endpoint.find(request.nic()).isEmpty()) {
            return kept(key, Why.NO_SUCH_NIC);
        }
        return new EndpointRelease(view, endpoint).decided(List.of(), List.of(new DropEndpoint(key)));
    }

    private static Decision<PoolChange, PoolRelease> kept(PodKey key, Why why) {
        return new Decision<>(new Kept(why), List.of(), List.of(new NothingReleased(key, why)));
    }

    /// Takes back all that a pod has although it lives. The endpoint stays, with nothing in it.
    public static Decision<PoolChange, PoolRelease> forceRelease(PoolView view, ForcedReleaseRequest request) {
        var found = view.findEndpoint(request.key());
        if (found.isEmpty()) {
            return refused(new PoolRefusal.NoEndpoint(request.key()));
        }
        var endpoint = found.get();
        if (!endpoint.uid().equals(request.uid())) {
            return refused(new PoolRefusal.OtherUid(endpoint.uid(), request.uid()));
        }
        if (endpoint.nics().isEmpty()) {
            return new Decision<>(new PoolRelease.Released(List.of()), List.of(), List.of());
        }
        return new EndpointRelease(view, endpoint)
                .decided(List.of(new PutEndpoint(endpoint.withNics(List.of()))), List.of());
    }

    private static Decision<PoolChange, PoolRelease> refused(PoolRefusal refusal) {
        return new Decision<>(new PoolRelease.Refused(refusal), List.of(), List.of());
    }

    /// Removes the records of an endpoint.
    private record EndpointRelease(PoolView view, PodEndpoint endpoint) {

        Decision<PoolChange, PoolRelease> decided(List<PoolChange> before, List<PoolChange> after) {
            var changes = new ArrayList<>(before);
            var because = new ArrayList<Because>();
            var freed = new ArrayList<Address>();
            var record = PoolRecord.of(endpoint.key(), endpoint.uid());
            var current = view;
            NotReadException.lookAtAll(
                    endpoint.nics(),
                    nic -> NotReadException.lookAtAll(nic.addresses(), taken -> view.findPool(taken.pool())));
            for (var nic : endpoint.nics()) {
                for (var taken : nic.addresses()) {
                    // A pool that is gone has no records.
                    var pool = current.findPool(taken.pool());
                    if (pool.isEmpty()
                            || (!pool.get().damaged()
                                    && pool.get()
                                            .held()
                                            .find(taken.address())
                                            .filter(record::equals)
                                            .isEmpty())) {
                        because.add(new NotTheirs(taken.address(), taken.pool(), endpoint.key()));
                        continue;
                    }
                    if (pool.get().damaged()) {
                        var fault = new PoolFault(
                                taken.pool(), Rule.DAMAGED, pool.get().damage());
                        because.add(fault);
                        return new Decision<>(
                                new PoolRelease.Refused(new PoolRefusal.Damaged(fault)), List.of(), because);
                    }
                    freed.add(taken.address());
                    changes.add(
                            new Free(taken.pool(), taken.address(), record, new NicPlace(endpoint.node(), nic.name())));
                    current = current.with(changes.getLast());
                    if (pool.get().terminating()
                            && current.findPool(taken.pool())
                                    .orElseThrow()
                                    .held()
                                    .empty()) {
                        changes.add(new DropPool(taken.pool()));
                        current = current.with(changes.getLast());
                    }
                }
            }
            changes.addAll(after);
            return new Decision<>(new PoolRelease.Released(freed), changes, because);
        }
    }
}
