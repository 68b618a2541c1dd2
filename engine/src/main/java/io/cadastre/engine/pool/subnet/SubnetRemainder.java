package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.math.BigInteger;
import java.util.ArrayList;

/// Takes the lowest of some addresses, range by range.
final class SubnetRemainder {

    private SubnetRemainder() {}

    /// What a pool may have of a subnet beside what it has.
    ///
    /// @param own what it has
    static RangeSet of(SubnetView view, PoolSubnet subnet, String pool, RangeSet own) {
        var taken = subnet.preAllocatedBeside(pool)
                .union(view.reserved())
                .union(own)
                .union(ofOtherPools(view, subnet, pool));
        return subnet.addresses().minus(taken);
    }

    /// What other pools have, also those that the subnet does not note yet.
    static RangeSet ofOtherPools(SubnetView view, PoolSubnet subnet, String pool) {
        return view.pools().values().stream()
                .filter(other -> !other.name().equals(pool)
                        && other.pool().spec().subnet().overlaps(subnet.subnet()))
                .map(SubnetPool::addresses)
                .reduce(RangeSet.EMPTY, RangeSet::union);
    }

    /// The lowest of these, or all if there are no more.
    static RangeSet lowest(RangeSet addresses, BigInteger count) {
        var taken = new ArrayList<Range>();
        var missing = count;
        for (var range : addresses.ranges()) {
            if (missing.signum() <= 0) {
                break;
            }
            if (range.size().compareTo(missing) <= 0) {
                taken.add(range);
                missing = missing.subtract(range.size());
            } else {
                taken.add(new Range(range.first(), range.first().plus(missing.subtract(BigInteger.ONE))));
                missing = BigInteger.ZERO;
            }
        }
        return new RangeSet(taken);
    }
}
