package io.cadastre.engine.pool;

import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Gives a pod what it has already. Spiderpool has nothing of the kind: whether a pool is disabled, or
/// meant for other pods, makes no difference, since the address is in use.
final class AddressAdoption {

    private final PoolView view;
    private final AdoptRequest request;

    AddressAdoption(PoolView view, AdoptRequest request) {
        this.view = view;
        this.request = request;
    }

    Decision<PoolChange, PoolAllocation> decide() {
        var found = view.allPools().stream()
                .filter(pool -> pool.spec().effective().contains(request.address()))
                .findFirst();
        if (found.isEmpty()) {
            return refused(new PoolRefusal.InNoPool(request.address()));
        }
        var pool = found.get();
        if (pool.damaged()) {
            return refused(new PoolRefusal.Unusable(pool.name(), pool.damage()));
        }
        var record = PoolRecord.of(request.key(), request.uid());
        var holder = pool.held().find(request.address());
        if (holder.isPresent() && !holder.get().equals(record)) {
            return refused(new PoolRefusal.HeldByAnother(
                    request.address(), holder.get().pod()));
        }
        var changes = new ArrayList<PoolChange>();
        if (holder.isEmpty()) {
            changes.add(new Take(pool.name(), request.address(), record, new NicPlace(request.node(), request.nic())));
        }
        var endpoint = view.findEndpoint(request.key())
                .orElseGet(() -> new PodEndpoint(
                        request.key(),
                        request.uid(),
                        request.node(),
                        List.of(),
                        new TopController("v1", "Pod", request.key().name())));
        var completed = completed(endpoint, pool);
        // A later pod of that name has an endpoint of its own.
        if (endpoint.uid().equals(request.uid()) && !completed.equals(endpoint)) {
            changes.add(new PutEndpoint(completed));
        }
        return new Decision<>(new PoolAllocation.Allocated(completed.nics()), changes, List.of());
    }

    private static Decision<PoolChange, PoolAllocation> refused(PoolRefusal refusal) {
        return new Decision<>(new PoolAllocation.Refused(refusal), List.of(), List.of());
    }

    private PodEndpoint completed(PodEndpoint endpoint, AddressPool pool) {
        var nics = new ArrayList<>(endpoint.nics());
        boolean told = nics.stream()
                .flatMap(nic -> nic.addresses().stream())
                .anyMatch(one -> one.address().equals(request.address()));
        if (told) {
            return endpoint;
        }
        var nic = endpoint.find(request.nic())
                .orElseGet(
                        () -> new Nic(request.nic(), Optional.empty(), Optional.empty(), Optional.empty(), List.of()));
        nics.remove(nic);
        nics.add(with(nic, pool));
        return endpoint.withNics(nics);
    }

    private Nic with(Nic nic, AddressPool pool) {
        var spec = pool.spec();
        var address =
                Optional.of(new NicAddress(request.address(), spec.subnet().length(), pool.name(), spec.gateway()));
        var gatewayUse = spec.gateway().isPresent() ? Optional.of(Nic.GatewayUse.DEFAULT_ROUTE) : nic.gatewayUse();
        return switch (pool.family()) {
            case IPV4 -> new Nic(nic.name(), address, nic.ipv6(), gatewayUse, nic.routes());
            case IPV6 -> new Nic(nic.name(), nic.ipv4(), address, gatewayUse, nic.routes());
        };
    }
}
