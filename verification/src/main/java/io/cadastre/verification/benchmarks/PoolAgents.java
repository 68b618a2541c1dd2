package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.address.RangeSet;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Nic;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolChange;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolPreferences;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.engine.pool.PoolView;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.engine.pool.TopController;
import io.cadastre.registry.Recorder;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.spiderpool.objects.SpiderBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Agents of several nodes that give pods addresses of the same pools, each by a registrar of its own.
final class PoolAgents {

    private final List<Registrar<PoolView, PoolChange>> registrars = new ArrayList<>();
    private final Books books;
    private final ConcurrentLinkedQueue<Address> given = new ConcurrentLinkedQueue<>();
    private final Set<PodKey> served = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();

    /// What is written for a pod.
    enum Books {
        /// Only the records of pools.
        POOLS,
        /// And the endpoint of the pod.
        POOLS_AND_ENDPOINTS
    }

    /// @param stores one for each agent
    PoolAgents(
            List<? extends Datastore> stores,
            Registrar.Limits limits,
            Books books,
            Recorder ledger,
            BenchContext means) {
        this.books = books;
        for (var store : stores) {
            var context = new AgentContext(store, ledger, means.clock(), means.dice(), means.pause());
            registrars.add(context.registrar(new SpiderBook(store, means.clock()), limits));
        }
    }

    /// What a pod is to have on one interface, of one pool.
    static PoolPreference single(String pool) {
        return new PoolPreference.Single(new PoolNames(List.of(pool), List.of()));
    }

    /// What a pod is to have on as many interfaces, each of the pool of that number.
    static PoolPreference several(String poolWord, int interfaces) {
        return new PoolPreference.Several(IntStream.range(0, interfaces)
                .mapToObj(number -> new PoolPreference.Item(
                        nic(number), new PoolNames(List.of(poolWord + number), List.of()), GatewayUse.DEFAULT_ROUTE))
                .toList());
    }

    static String nic(int number) {
        return number == 0 ? "eth0" : "net" + number;
    }

    /// Asks for a pod on the node of an agent. A request that is given up is counted and not repeated.
    void allocate(int agent, PodKey key, String nic, PoolPreference preference) {
        var index = agent % registrars.size();
        var request = request(index, key, nic, preference);
        // As the agent does that ships.
        enact(index, nic, served.add(key) ? request.expectingNoEndpoint() : request);
    }

    static PoolAllocateRequest request(int node, PodKey key, String nic, PoolPreference preference) {
        return new PoolAllocateRequest(
                new PodInfo(
                        key,
                        "uid-of-" + key.name(),
                        "node-" + node,
                        Life.ALIVE,
                        Labels.NONE,
                        new TopController("v1", "Pod", key.name())),
                nic,
                new PoolPreferences(
                        preference,
                        PoolPreferences.NONE.namespace(),
                        PoolPreferences.NONE.configured(),
                        PoolPreferences.NONE.gatewayUse()),
                RequestedRoutes.NONE,
                Networks.unknown("kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY);
    }

    private void enact(int index, String nic, PoolAllocateRequest request) {
        var key = request.pod().key();
        try {
            switch (registrars
                    .get(index)
                    .enact(new Request<PoolView, PoolChange, PoolAllocation>(
                            "bench add %s %s".formatted(key, nic),
                            (view, earlier) -> decide(view, request, earlier)))) {
                case PoolAllocation.Allocated(var nics) ->
                    nics.stream()
                            .filter(one -> one.name().equals(nic))
                            .map(Nic::addresses)
                            .flatMap(List::stream)
                            .forEach(taken -> given.add(taken.address()));
                case PoolAllocation.Refused _ -> failures.incrementAndGet();
            }
        } catch (UnsettledException givenUp) {
            failures.incrementAndGet();
        }
    }

    private Decision<PoolChange, PoolAllocation> decide(
            PoolView view, PoolAllocateRequest request, List<Decision<PoolChange, PoolAllocation>> earlier) {
        return switch (books) {
            case POOLS_AND_ENDPOINTS -> PoolEngine.allocate(view, request, earlier);
            case POOLS -> {
                var decision =
                        PoolEngine.allocate(view.withEndpoint(request.pod().key(), Optional.empty()), request, earlier);
                yield new Decision<>(
                        decision.outcome(),
                        decision.changes().stream()
                                .filter(change -> !(change instanceof PoolChange.PutEndpoint))
                                .toList(),
                        decision.because());
            }
        };
    }

    /// What the callers were told, in no order.
    List<Address> given() {
        return List.copyOf(given);
    }

    int failures() {
        return failures.get();
    }
}
