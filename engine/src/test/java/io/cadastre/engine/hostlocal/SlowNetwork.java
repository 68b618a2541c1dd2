package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/// The search as a story: it goes from address to address and looks at each.
final class SlowNetwork {

    private final List<SubnetRange> ranges;
    private int at;
    private Address now;

    private SlowNetwork(List<SubnetRange> ranges, int at, Address now) {
        this.ranges = ranges;
        this.at = at;
        this.now = now;
    }

    /// The next free address of a set.
    static Optional<Address> next(HostLocalView view, int set, RangeGroup group, NavigableSet<Address> used) {
        var last = view.lastReserved(set);
        for (int index = 0; index < group.ranges().size(); index++) {
            if (last.isPresent() && group.ranges().get(index).contains(last.get())) {
                var walk = new SlowNetwork(group.ranges(), index, last.get());
                walk.step();
                return walk.search(used);
            }
        }
        var start = group.ranges().getFirst().range().first();
        return new SlowNetwork(group.ranges(), 0, start).search(used);
    }

    private Optional<Address> search(NavigableSet<Address> used) {
        var began = now;
        do {
            if (!used.contains(now) && !now.equals(ranges.get(at).gateway())) {
                return Optional.of(now);
            }
            step();
        } while (!now.equals(began));
        return Optional.empty();
    }

    private void step() {
        if (now.equals(ranges.get(at).range().last())) {
            at = (at + 1) % ranges.size();
            now = ranges.get(at).range().first();
        } else {
            now = now.next();
        }
    }
}
