package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.PodEndpoint.Ownership;
import io.cadastre.engine.pool.PoolAllocation.Allocated;
import io.cadastre.engine.pool.PoolChange.Confirm;
import io.cadastre.engine.pool.PoolChange.PutEndpoint;
import io.cadastre.engine.pool.PoolChange.Take;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolReason.AlreadyServed;
import io.cadastre.engine.pool.PoolReason.Chose;
import io.cadastre.engine.pool.PoolReason.Claimed;
import io.cadastre.engine.pool.PoolReason.LeftToRivals;
import io.cadastre.engine.pool.PoolReason.NotKeptForSuccessor;
import io.cadastre.engine.pool.PoolReason.Ordered;
import io.cadastre.engine.pool.PoolReason.Recorded;
import io.cadastre.engine.pool.PoolReason.Replaced;
import io.cadastre.engine.pool.PoolReason.RouteDropped;
import io.cadastre.engine.pool.PoolReason.ToldBy;
import io.cadastre.engine.pool.PoolReason.TriedInVain;
import io.cadastre.engine.pool.keep.KeptAddresses;
import io.cadastre.engine.pool.keep.Succession;
import io.cadastre.engine.pool.select.PoolCandidates;
import io.cadastre.engine.pool.select.PoolCandidates.Form;
import io.cadastre.engine.pool.select.PoolCandidates.Plan;
import io.cadastre.engine.pool.select.PoolFilter;
import io.cadastre.engine.pool.select.PoolOrder;
import io.cadastre.engine.pool.select.RivalAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A decision on the assignment of addresses, in the making.
final class PoolAllocator {

    /// Kinds whose pods leave their addresses to their successors where that is set.
    private static final List<String> KEEPING_KINDS =
            List.of("apps/v1 StatefulSet", "kubevirt.io/v1 VirtualMachineInstance");

    private final PoolAllocateRequest request;
    private final List<Because> because = new ArrayList<>();
    private final List<PoolChange> changes = new ArrayList<>();
    private PoolView view;

    PoolAllocator(PoolView view, PoolAllocateRequest request) {
        this.view = view;
        this.request = request;
    }

    Decision<PoolChange, PoolAllocation> decide() {
        try {
            return new Decision<>(allocate(), changes, because);
        } catch (PoolRefusedException refused) {
            return new Decision<>(new PoolAllocation.Refused(refused.refusal()), List.of(), because);
        }
    }

    private PoolAllocation allocate() {
        var pod = request.pod();
        if (pod.uid().isEmpty()) {
            throw new PoolRefusedException(new PoolRefusal.NoUid(pod.key()));
        }
        if (pod.life() == PodInfo.Life.DEAD) {
            throw new PoolRefusedException(new PoolRefusal.DeadPod(pod.key()));
        }
        return switch (pod.succession()) {
            case Succession.SameName _, Succession.SameMachine _ -> {
                var stored = view.findEndpoint(pod.holder());
                yield stored.isPresent() ? taken(stored.get()) : standard(fresh(Ownership.UNOWNED));
            }
            case Succession.None _ -> ofPodItself(ownEndpoint());
        };
    }

    /// An endpoint of another pod of this name does not matter, so that it may be assumed that there is none. One
    /// that is kept for a successor must be read.
    private Optional<PodEndpoint> ownEndpoint() {
        return switch (request.expectation()) {
            case NONE -> view.findEndpoint(request.pod().holder());
            case NO_ENDPOINT -> view.findUnexpectedEndpoint(request.pod().holder());
        };
    }

    private PodEndpoint fresh(Ownership ownership) {
        var pod = request.pod();
        return new PodEndpoint(pod.holder(), pod.uid(), pod.node(), List.of(), pod.controller(), ownership);
    }

    /// A pod that leaves its addresses to a successor.
    private PoolAllocation taken(PodEndpoint stored) {
        var kept = KeptAddresses.of(view, request, stored);
        because.addAll(kept.because());
        kept.changes().forEach(this::write);
        var endpoint = kept.endpoint();
        if (endpoint.find(request.nic()).isPresent()) {
            because.add(new AlreadyServed(endpoint.key(), request.nic()));
            return tells(stored, endpoint) ? new Allocated(endpoint.nics()) : written(endpoint);
        }
        return again(endpoint);
    }

    /// Whether there is nothing to write.
    private static boolean tells(PodEndpoint stored, PodEndpoint endpoint) {
        return stored.uid().equals(endpoint.uid())
                && stored.node().equals(endpoint.node())
                && stored.nics().equals(endpoint.nics())
                && stored.ownership() == endpoint.ownership();
    }

    private PoolAllocation ofPodItself(Optional<PodEndpoint> stored) {
        var pod = request.pod();
        var controller = pod.controller();
        if (KEEPING_KINDS.contains(controller.apiVersion() + " " + controller.kind())) {
            because.add(new NotKeptForSuccessor(pod.key(), controller.kind()));
        }
        var own = stored.filter(endpoint -> endpoint.uid().equals(pod.uid()));
        if (own.isPresent()) {
            return again(own.get());
        }
        stored.ifPresent(other -> because.add(new Replaced(pod.key(), other.uid())));
        return standard(fresh(Ownership.OWNED_BY_POD));
    }

    /// A pod that has been given something.
    private PoolAllocation again(PodEndpoint endpoint) {
        var nic = request.nic();
        if (endpoint.find(nic).isPresent()) {
            because.add(new AlreadyServed(endpoint.key(), nic));
            return new Allocated(endpoint.nics());
        }
        if (endpoint.hasUnclaimed()) {
            because.add(new Claimed(endpoint.key(), nic));
            return written(endpoint.claimedBy(nic));
        }
        return standard(endpoint);
    }

    private PoolAllocation written(PodEndpoint endpoint) {
        write(new PutEndpoint(endpoint));
        return new Allocated(endpoint.nics());
    }

    private void write(PoolChange change) {
        changes.add(change);
        view = view.with(change);
    }

    /// Gives the endpoint what the pools have that are named for it. What it has stays.
    private PoolAllocation standard(PodEndpoint endpoint) {
        var candidates = PoolCandidates.of(view, request);
        if (candidates.form() == Form.NUMBERED && !endpoint.nics().isEmpty()) {
            throw new PoolRefusedException(
                    new PoolRefusal.NoNicLeft(request.nic(), candidates.plans().size()));
        }
        var routes = requestedRoutes();
        var plans = candidates.plans().stream()
                .filter(plan ->
                        plan.nic().isEmpty() || endpoint.find(plan.nic()).isEmpty())
                .toList();
        // Before the pools, so that a pool is read as late as possible: others write it all the time.
        view.reservedAddresses();
        lookAtPools(plans);
        var chosen = new ArrayList<Choice>();
        for (var plan : plans) {
            chosen.addAll(choices(candidates.source(), plan));
        }
        var nics = new ArrayList<>(endpoint.nics());
        for (var plan : plans) {
            var mine =
                    chosen.stream().filter(choice -> choice.plan().equals(plan)).toList();
            nics.add(nic(plan, mine, nics));
        }
        var given = endpoint.withNics(withRoutes(nics, endpoint.nics().size(), routes));
        return written(claimed(given, candidates));
    }

    private void lookAtPools(List<Plan> plans) {
        var names = plans.stream()
                .flatMap(plan -> plan.pools().values().stream())
                .flatMap(List::stream)
                .distinct()
                .toList();
        NotReadException.lookAtAll(names, view::findPool);
    }

    private List<PodRoute> requestedRoutes() {
        return switch (request.routes()) {
            case RequestedRoutes.Listed(var routes) -> routes;
            case RequestedRoutes.Broken(var sentence) ->
                throw new PoolRefusedException(new PoolRefusal.Malformed(sentence));
        };
    }

    /// Of interfaces without names, the first is eth0. A request for another one gets the next.
    private PodEndpoint claimed(PodEndpoint endpoint, PoolCandidates candidates) {
        if (endpoint.find(request.nic()).isPresent()) {
            return endpoint;
        }
        if (!endpoint.hasUnclaimed()) {
            throw new PoolRefusedException(
                    new PoolRefusal.NoNicLeft(request.nic(), candidates.plans().size()));
        }
        because.add(new Claimed(endpoint.key(), request.nic()));
        return endpoint.claimedBy(request.nic());
    }

    /// The pools of one family for one interface, in the order in which they are tried.
    private record Choice(Plan plan, Family family, List<AddressPool> pools) {}

    /// What is to be tried, before anything is taken: upstream looks at all pools first.
    private List<Choice> choices(String source, Plan plan) {
        var choices = new ArrayList<Choice>();
        plan.pools().forEach((family, names) -> {
            because.add(new ToldBy(source, names, plan.label()));
            var fitting = fitting(plan, family, pools(names));
            if (fitting.size() > 1) {
                because.add(new Ordered(names(fitting), plan.label()));
            }
            choices.add(new Choice(plan, family, fitting));
        });
        return choices;
    }

    private List<AddressPool> pools(List<String> names) {
        return names.stream()
                .map(name -> view.findPool(name)
                        .orElseThrow(() -> new PoolRefusedException(new PoolRefusal.UnknownPool(name))))
                .toList();
    }

    private List<AddressPool> fitting(Plan plan, Family family, List<AddressPool> pools) {
        var filter = new PoolFilter(request, family, plan.label());
        var faults = new ArrayList<PoolFault>();
        var fitting = new ArrayList<AddressPool>();
        for (var pool : pools) {
            filter.fault(pool)
                    .ifPresentOrElse(
                            fault -> {
                                faults.add(fault);
                                because.add(filter.reason(pool, fault));
                            },
                            () -> fitting.add(pool));
        }
        if (fitting.isEmpty()) {
            throw new PoolRefusedException(new PoolRefusal.FilteredOut(family, plan.label(), names(pools), faults));
        }
        return PoolOrder.sorted(fitting);
    }

    private static List<String> names(List<AddressPool> pools) {
        return pools.stream().map(AddressPool::name).toList();
    }

    /// @param others what the pod's other interfaces have
    private Nic nic(Plan plan, List<Choice> choices, List<Nic> others) {
        var ipv4 = Optional.<NicAddress>empty();
        var ipv6 = Optional.<NicAddress>empty();
        var routes = new ArrayList<PodRoute>();
        for (var choice : choices) {
            var taken = take(choice, others);
            routes.addAll(view.findPool(taken.pool()).orElseThrow().spec().routes());
            switch (choice.family()) {
                case IPV4 -> ipv4 = Optional.of(taken);
                case IPV6 -> ipv6 = Optional.of(taken);
            }
        }
        boolean gateway = Stream.of(ipv4, ipv6)
                .anyMatch(taken -> taken.flatMap(NicAddress::gateway).isPresent());
        return new Nic(plan.nic(), ipv4, ipv6, gateway ? Optional.of(plan.gatewayUse()) : Optional.empty(), routes);
    }

    /// An address of the first pool that has one.
    private NicAddress take(Choice choice, List<Nic> others) {
        var faults = new ArrayList<PoolFault>();
        for (var planned : choice.pools()) {
            // Another interface may have taken something of it by now.
            var pool = view.findPool(planned.name()).orElseThrow();
            switch (tried(pool, choice.plan(), others)) {
                case Trial.Took(var taken) -> {
                    return taken;
                }
                case Trial.Failed(var fault) -> {
                    faults.add(fault);
                    because.add(new TriedInVain(fault.pool(), fault.sentence()));
                }
            }
        }
        throw new PoolRefusedException(
                new PoolRefusal.UsedOut(choice.family(), choice.plan().label(), names(choice.pools()), faults));
    }

    /// What came of trying a pool.
    private sealed interface Trial {
        record Took(NicAddress taken) implements Trial {}

        record Failed(PoolFault fault) implements Trial {}
    }

    private Trial tried(AddressPool pool, Plan plan, List<Nic> others) {
        if (pool.damaged()) {
            return failed(pool, Rule.DAMAGED, pool.damage());
        }
        var record = request.pod().record();
        var recorded = pool.find(record);
        if (recorded.isPresent()) {
            if (others.stream()
                    .flatMap(other -> other.addresses().stream())
                    .anyMatch(taken -> taken.pool().equals(pool.name()))) {
                return failed(
                        pool,
                        Rule.OTHER_NIC,
                        "wrong input, IPPool %s gives a Pod one address, which another NIC has".formatted(pool.name()));
            }
            because.add(new Recorded(recorded.get(), pool.name()));
            write(new Confirm(pool.name(), recorded.get(), record));
            return new Trial.Took(address(pool, recorded.get()));
        }
        var barred = view.reservedAddresses().union(request.conflicting());
        var left = RivalAddresses.of(view, pool);
        if (!left.addresses().empty()) {
            because.add(new LeftToRivals(pool.name(), IpText.count(left.addresses()), left.rivals()));
        }
        var free = pool.firstFree(barred.union(left.addresses()));
        if (free.isEmpty()) {
            return failed(
                    pool,
                    Rule.USED_OUT,
                    pool.firstFree(barred).isEmpty()
                            ? "all IP addresses used out"
                            : "all IP addresses used out, but for those that IPPool %s has too"
                                    .formatted(String.join(", ", left.rivals())));
        }
        int recordsMax = request.settings().recordsMax();
        if (pool.held().size() >= recordsMax) {
            return failed(
                    pool,
                    Rule.RECORDS_MAX,
                    "all IP addresses used out, threshold of IP records(<=%d) for IPPool %s exceeded"
                            .formatted(recordsMax, pool.name()));
        }
        because.add(new Chose(free.get(), pool.name(), plan.label()));
        write(new Take(
                pool.name(), free.get(), record, new NicPlace(request.pod().node(), plan.nic())));
        return new Trial.Took(address(pool, free.get()));
    }

    private static NicAddress address(AddressPool pool, Address address) {
        return new NicAddress(
                address, pool.spec().subnet().length(), pool.name(), pool.spec().gateway());
    }

    private static Trial failed(AddressPool pool, Rule rule, String sentence) {
        return new Trial.Failed(new PoolFault(pool.name(), rule, sentence));
    }

    /// The interfaces with the routes that the pod asks for, each on the first new one that reaches the
    /// gateway.
    private List<Nic> withRoutes(List<Nic> nics, int present, List<PodRoute> routes) {
        var routed = new ArrayList<>(nics);
        for (var route : routes) {
            var gateway = IpText.address(route.gw()).orElseThrow();
            boolean placed = false;
            for (int index = present; index < routed.size() && !placed; index++) {
                var nic = routed.get(index);
                placed = nic.addresses().stream().anyMatch(taken -> taken.onLink(gateway));
                if (placed) {
                    routed.set(index, nic.withRoute(route));
                }
            }
            if (!placed) {
                because.add(new RouteDropped(route));
            }
        }
        return routed;
    }
}
