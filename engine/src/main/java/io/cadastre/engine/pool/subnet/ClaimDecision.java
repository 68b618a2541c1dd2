package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.pool.LabelSelector;
import io.cadastre.engine.pool.PoolAffinity;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Ready;
import io.cadastre.engine.pool.subnet.SubnetOutcome.Refused;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A decision on the pool of an application, in the making.
final class ClaimDecision {

    private static final String LABELS = "ipam.spidernet.io/app-";

    private static final int LABEL_LENGTH_MAX = 63;

    private final SubnetView view;
    private final SubnetClaim claim;
    private final List<Decision<SubnetChange, SubnetOutcome>> earlier;
    private final List<Because> because = new ArrayList<>();

    /// @param earlier attempts to write a decision on this claim, of which it is unknown what was written
    ClaimDecision(SubnetView view, SubnetClaim claim, List<Decision<SubnetChange, SubnetOutcome>> earlier) {
        this.view = view;
        this.claim = claim;
        this.earlier = earlier;
    }

    /// Ends a decision in the making.
    private static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient SubnetRefusal refusal;

        RefusedException(SubnetRefusal refusal) {
            super(refusal.sentence(), null, false, false);
            this.refusal = refusal;
        }
    }

    Decision<SubnetChange, SubnetOutcome> decide() {
        try {
            return decided();
        } catch (RefusedException refused) {
            return new Decision<>(new Refused(refused.refusal), List.of(), because);
        }
    }

    private Decision<SubnetChange, SubnetOutcome> decided() {
        var subnet = subnet();
        var former = AutoPools.find(view, claim, because);
        former.ifPresent(pool -> check(pool, subnet));
        var name = former.map(SubnetPool::name).orElseGet(claim::poolName);
        if (former.isEmpty()) {
            checkFree(name, subnet);
        }
        var had = Optional.ofNullable(subnet.preAllocations().get(name));
        if (former.isPresent() && suits(former.get(), had)) {
            because.add(new SubnetReason.Suited(name));
            return ready(name, former.get().addresses(), List.of());
        }
        if (former.filter(pool -> pool.pool().terminating()).isPresent()) {
            throw new RefusedException(new SubnetRefusal.NameTaken(name));
        }
        var base = base(subnet, name, former, had).minus(SubnetRemainder.ofOtherPools(view, subnet, name));
        var addresses = resized(subnet, name, former, base);
        var noting = new SubnetChange.PreAllocate(
                subnet.name(),
                name,
                new PreAllocation(addresses, claim.application().text()));
        var making = former.isPresent()
                ? new SubnetChange.AdaptPool(name, addresses, claim.purpose(), claim.number())
                : new SubnetChange.CreatePool(
                        name, spec(subnet, addresses), subnet.name(), claim.purpose(), claim.number());
        return ready(name, addresses, isNotedByThis(noting, had) ? List.of(making) : List.of(noting, making));
    }

    /// What an earlier claim noted is noted again: a process that takes it back meanwhile conflicts at the subnet. What
    /// an earlier attempt of this one noted is such a change already, if it is still there.
    private boolean isNotedByThis(SubnetChange.PreAllocate noting, Optional<PreAllocation> had) {
        return had.equals(Optional.of(noting.allocation()))
                && earlier.stream().anyMatch(attempt -> attempt.changes().contains(noting));
    }

    private Decision<SubnetChange, SubnetOutcome> ready(String pool, RangeSet addresses, List<SubnetChange> changes) {
        return new Decision<>(new Ready(pool, addresses), changes, because);
    }

    private PoolSubnet subnet() {
        var length = claim.application().name().length();
        if (length > LABEL_LENGTH_MAX) {
            throw new RefusedException(new SubnetRefusal.NameTooLong(claim.application(), length));
        }
        var subnet = view.findSubnet(claim.subnet())
                .orElseThrow(() -> new RefusedException(new SubnetRefusal.NoSubnet(claim.subnet())));
        if (subnet.terminating()) {
            throw new RefusedException(new SubnetRefusal.Terminating(subnet.name()));
        }
        if (subnet.damaged()) {
            throw new RefusedException(new SubnetRefusal.Damaged("SpiderSubnet " + subnet.name(), subnet.damage()));
        }
        if (subnet.family() != claim.family()) {
            throw new RefusedException(new SubnetRefusal.OtherFamily(subnet.name(), claim.family()));
        }
        return subnet;
    }

    private static void check(SubnetPool pool, PoolSubnet subnet) {
        var had = pool.pool().spec().subnet();
        if (!had.equals(subnet.subnet())) {
            throw new RefusedException(
                    new SubnetRefusal.SubnetChanged(pool.name(), had, subnet.name(), subnet.subnet()));
        }
        if (pool.pool().damaged()) {
            throw new RefusedException(new SubnetRefusal.Damaged(
                    "IPPool " + pool.name(), pool.pool().damage()));
        }
    }

    /// A name that another pool has, or is going to have.
    private void checkFree(String name, PoolSubnet subnet) {
        boolean promised = Optional.ofNullable(subnet.preAllocations().get(name))
                .filter(other -> !other.application().equals(claim.application().text()))
                .isPresent();
        if (promised || view.findPool(name).isPresent()) {
            throw new RefusedException(new SubnetRefusal.NameTaken(name));
        }
    }

    private boolean suits(SubnetPool pool, Optional<PreAllocation> had) {
        return pool.purpose().equals(Optional.of(claim.purpose()))
                && pool.addresses().size().equals(BigInteger.valueOf(claim.count()))
                && had.equals(Optional.of(
                        new PreAllocation(pool.addresses(), claim.application().text())));
    }

    /// What the pool has, before it grows or shrinks: what is noted for it, and what its pods have. If that is more
    /// than is noted, the shrinking of the pool was interrupted.
    private RangeSet base(PoolSubnet subnet, String name, Optional<SubnetPool> former, Optional<PreAllocation> had) {
        var noted = had.map(PreAllocation::addresses).orElse(RangeSet.EMPTY);
        if (former.isEmpty()) {
            had.ifPresent(found -> because.add(new SubnetReason.FoundPreAllocation(found.addresses(), name)));
            return noted;
        }
        boolean unnoted = former.get().pool().records().keySet().stream().anyMatch(held -> !noted.contains(held));
        if (had.isPresent() && !unnoted) {
            return noted;
        }
        because.add(new SubnetReason.Repaired(name));
        return noted.union(
                former.get().addresses().intersect(subnet.addresses()).minus(subnet.preAllocatedBeside(name)));
    }

    private RangeSet resized(PoolSubnet subnet, String name, Optional<SubnetPool> former, RangeSet base) {
        var more = BigInteger.valueOf(claim.count()).subtract(base.size());
        if (more.signum() >= 0) {
            var free = SubnetRemainder.of(view, subnet, name, base);
            if (free.size().compareTo(more) < 0) {
                throw new RefusedException(new SubnetRefusal.Insufficient(more, free.size()));
            }
            var taken = SubnetRemainder.lowest(free, more);
            if (!taken.empty()) {
                because.add(new SubnetReason.TookLowest(taken, subnet.name()));
            }
            return base.union(taken);
        }
        var held = new RangeSet(former.stream()
                .flatMap(pool -> pool.pool().records().keySet().stream())
                .map(Range::of)
                .toList());
        var droppable = base.minus(held);
        if (droppable.size().compareTo(more.negate()) < 0) {
            throw new RefusedException(new SubnetRefusal.CannotShrink(name));
        }
        var dropped = SubnetRemainder.lowest(droppable, more.negate());
        because.add(new SubnetReason.GaveBackLowest(dropped, name));
        return base.minus(dropped);
    }

    /// For the pods of the application alone.
    private PoolSpec spec(PoolSubnet subnet, RangeSet addresses) {
        var application = claim.application();
        var labels = new TreeMap<String, String>();
        labels.put(LABELS + "api-group", application.group());
        labels.put(LABELS + "api-version", application.version());
        labels.put(LABELS + "kind", application.kind());
        labels.put(LABELS + "namespace", application.namespace());
        labels.put(LABELS + "name", application.name());
        return new PoolSpec(
                subnet.subnet(),
                addresses.ranges(),
                RangeSet.EMPTY,
                subnet.gateway(),
                subnet.routes(),
                new PoolAffinity(
                        Optional.of(new LabelSelector(labels, List.of())),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of()),
                Preference.NAMED,
                Giving.ENABLED);
    }
}
