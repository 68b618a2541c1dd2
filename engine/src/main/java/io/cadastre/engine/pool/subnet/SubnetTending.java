package io.cadastre.engine.pool.subnet;

import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.subnet.PoolSubnet.Counts;
import io.cadastre.engine.pool.subnet.PoolSubnet.Labelling;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Rest;
import io.cadastre.engine.pool.subnet.SubnetReason.DroppedPreAllocation;
import io.cadastre.engine.pool.subnet.SubnetReason.DroppedPreAllocation.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Brings a subnet up to date with its pools, in the making.
final class SubnetTending {

    private final SubnetView view;
    private final PoolSubnet subnet;
    private final List<Because> because = new ArrayList<>();

    SubnetTending(SubnetView view, PoolSubnet subnet) {
        this.view = view;
        this.subnet = subnet;
    }

    /// What its pools have is noted first: a pool of an application is bound to the subnet only once the subnet notes
    /// what that pool has, and a pool that cannot be bound leaves the notes of the others as they should be.
    Decision<SubnetChange, SubnetOutcome> decide() {
        if (subnet.damaged()) {
            return new Decision<>(
                    new SubnetOutcome.Refused(
                            new SubnetRefusal.Damaged("SpiderSubnet " + subnet.name(), subnet.damage())),
                    List.of(),
                    because);
        }
        var noted = noted();
        boolean over = subnet.terminating() && noted.isEmpty();
        if (!noted.equals(subnet.preAllocations()) || subnet.counts() == Counts.WRONG) {
            return decided(
                    List.of(new SubnetChange.SetPreAllocations(subnet.name(), noted)), over ? Rest.MORE : label());
        }
        return over
                ? decided(List.of(new SubnetChange.DropSubnet(subnet.name())), Rest.NOTHING)
                : decided(List.of(), label());
    }

    private Rest label() {
        return subnet.labelling() == Labelling.UNLABELLED && !subnet.terminating() ? Rest.LABEL : Rest.NOTHING;
    }

    private Decision<SubnetChange, SubnetOutcome> decided(List<SubnetChange> changes, Rest rest) {
        return new Decision<>(
                new SubnetOutcome.Tended(
                        rest,
                        view.pools().values().stream()
                                .filter(this::unbound)
                                .map(SubnetPool::name)
                                .toList()),
                changes,
                because);
    }

    /// The label by which pools find it.
    Decision<SubnetChange, SubnetOutcome> decideOnLabel() {
        return new Decision<>(
                new SubnetOutcome.Tended(Rest.NOTHING, List.of()),
                label() == Rest.LABEL ? List.of(new SubnetChange.LabelSubnet(subnet.name())) : List.of(),
                because);
    }

    /// One pool, which it controls from then on, or which goes before it.
    Decision<SubnetChange, SubnetOutcome> decideOn(SubnetPool pool) {
        return new Decision<>(
                new SubnetOutcome.Tended(Rest.NOTHING, List.of()),
                unbound(pool) ? List.of(binding(pool)) : List.of(),
                because);
    }

    private SubnetChange binding(SubnetPool pool) {
        if (subnet.terminating()) {
            because.add(new SubnetReason.SubnetGone(pool.name(), subnet.name()));
            return new SubnetChange.DeletePool(pool.name());
        }
        because.add(new SubnetReason.SamePrefix(pool.name(), subnet.name()));
        return new SubnetChange.AdoptPool(pool.name(), subnet.name(), inheriting(pool.pool(), subnet));
    }

    /// Whether the pool is not yet as the subnet is to have it. A subnet controls the pools of its prefix that no other
    /// one does: of two subnets of one prefix neither takes pools of the other. The pools of one whose deletion has
    /// begun go first.
    private boolean unbound(SubnetPool pool) {
        if (pool.pool().terminating()) {
            return false;
        }
        return subnet.terminating() ? pool.subnet().equals(subnet.name()) : orphaned(pool);
    }

    private boolean orphaned(SubnetPool pool) {
        return pool.pool().spec().subnet().equals(subnet.subnet())
                && view.findSubnet(pool.subnet()).isEmpty();
    }

    /// The spec of a pool with the gateway and the routes that it leaves to its subnet.
    static PoolSpec inheriting(AddressPool pool, PoolSubnet subnet) {
        var spec = pool.spec();
        var gateway = spec.gateway()
                .or(() -> subnet.gateway().filter(address -> !spec.effective().contains(address)));
        return new PoolSpec(
                spec.subnet(),
                spec.ips(),
                spec.excluded(),
                gateway,
                spec.routes().isEmpty() ? subnet.routes() : spec.routes(),
                spec.affinity(),
                spec.preference(),
                spec.giving());
    }

    private SortedMap<String, PreAllocation> noted() {
        var noted = new TreeMap<String, PreAllocation>();
        for (var pool : view.pools().values()) {
            if (pool.subnet().equals(subnet.name()) || isNotedBeforehand(pool)) {
                noted.put(
                        pool.name(),
                        pool.forApplication()
                                ? ofApplication(pool)
                                : new PreAllocation(pool.addresses().intersect(subnet.addresses())));
            }
        }
        subnet.preAllocations().forEach((name, former) -> {
            if (!noted.containsKey(name)) {
                withoutPool(name, former).ifPresent(kept -> noted.put(name, kept));
            }
        });
        return noted;
    }

    /// The pool of an application may be bound to a subnet only if that notes just what the pool has.
    private boolean isNotedBeforehand(SubnetPool pool) {
        return pool.forApplication()
                && !subnet.terminating()
                && unbound(pool)
                && pool.addresses().minus(subnet.addresses()).empty();
    }

    /// What was promised counts, and if nothing was, what the pool has.
    private PreAllocation ofApplication(SubnetPool pool) {
        var former = Optional.ofNullable(subnet.preAllocations().get(pool.name()));
        var application = pool.purpose()
                .map(purpose -> purpose.application().text())
                .or(() -> former.map(PreAllocation::application))
                .orElse("");
        var addresses = former.filter(PreAllocation::forApplication)
                .map(PreAllocation::addresses)
                .orElseGet(() ->
                        pool.addresses().intersect(subnet.addresses()).minus(subnet.preAllocatedBeside(pool.name())));
        return new PreAllocation(
                addresses.intersect(subnet.addresses()).minus(SubnetRemainder.ofOtherPools(view, subnet, pool.name())),
                application);
    }

    /// A promise to an application whose pool is yet to be made. An earlier application of the name has no use for it.
    private Optional<PreAllocation> withoutPool(String name, PreAllocation former) {
        if (!former.forApplication()) {
            return dropped(name, Cause.POOL_GONE);
        }
        var application = OwnerApplication.parse(former.application());
        if (application.isEmpty()) {
            return dropped(name, Cause.INVALID);
        }
        if (subnet.terminating() || !wanted(name, view.state(application.get()))) {
            return dropped(name, Cause.APPLICATION_GONE);
        }
        return Optional.of(former.withAddresses(former.addresses()
                .intersect(subnet.addresses())
                .minus(SubnetRemainder.ofOtherPools(view, subnet, name))));
    }

    private static boolean wanted(String pool, ApplicationState state) {
        return switch (state) {
            case ApplicationState.Present(var uid) -> AutoPoolName.isOf(pool, uid);
            case ApplicationState.Unknown _ -> true;
            case ApplicationState.Absent _ -> false;
        };
    }

    private Optional<PreAllocation> dropped(String pool, Cause cause) {
        because.add(new DroppedPreAllocation(pool, cause));
        return Optional.empty();
    }
}
