package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import java.util.ArrayList;
import java.util.List;

/// The rules of range sets. Their order decides which of several faults is reported.
final class RangeRules {

    /// A subnet of this many bits has a gateway and one address to give.
    private static final int HOST_BITS_MIN = 2;

    private RangeRules() {}

    static HostLocalSetup read(List<List<WrittenRange>> sets, PerFamily perFamily) {
        try {
            return new HostLocalSetup.Configured(groups(sets, perFamily));
        } catch (Broken rule) {
            return new HostLocalSetup.Rejected(rule.sentence);
        }
    }

    private static List<RangeGroup> groups(List<List<WrittenRange>> sets, PerFamily perFamily) throws Broken {
        if (sets.isEmpty()) {
            throw new Broken("no IP ranges specified");
        }
        var groups = new ArrayList<RangeGroup>();
        for (int index = 0; index < sets.size(); index++) {
            try {
                groups.add(group(sets.get(index)));
            } catch (Broken rule) {
                throw new Broken("invalid range set %d: %s".formatted(index, rule.sentence));
            }
        }
        checkCount(groups, perFamily);
        checkDisjointGroups(groups);
        return groups;
    }

    private static RangeGroup group(List<WrittenRange> set) throws Broken {
        if (set.isEmpty()) {
            throw new Broken("empty range set");
        }
        var ranges = new ArrayList<SubnetRange>();
        for (var written : set) {
            var range = range(written);
            if (!ranges.isEmpty()
                    && ranges.getFirst().range().family() != range.range().family()) {
                throw new Broken("mixed address families");
            }
            ranges.add(range);
        }
        checkDisjointRanges(ranges);
        return new RangeGroup(ranges);
    }

    private static SubnetRange range(WrittenRange written) throws Broken {
        var subnet = subnet(written);
        var start = written.start().orElseGet(() -> subnet.first().next());
        var end = written.end().orElseGet(() -> lastUsable(subnet));
        // An end of the other family cannot be compared; the next rule refuses it.
        if (!subnet.contains(start) || (end.family() == start.family() && isAfter(start, end))) {
            throw written.start().isPresent() ? outside("RangeStart", start, subnet) : outside("RangeEnd", end, subnet);
        }
        if (!subnet.contains(end)) {
            throw outside("RangeEnd", end, subnet);
        }
        return new SubnetRange(
                subnet,
                new Range(start, end),
                written.gateway().orElseGet(() -> subnet.first().next()));
    }

    private static Prefix subnet(WrittenRange written) throws Broken {
        var subnet = written.subnet().orElseThrow(() -> new Broken("IP <nil> not v4 nor v6"));
        var address = subnet.address();
        if (subnet.length() > address.family().bits() - HOST_BITS_MIN) {
            throw new Broken("Network %s too small to allocate from".formatted(subnet));
        }
        var network = Prefix.containing(address, subnet.length());
        if (!network.first().equals(address)) {
            throw new Broken("Network has host bits set. For a subnet mask of length %d the network address is %s"
                    .formatted(subnet.length(), network.first()));
        }
        return network;
    }

    /// IPv6 has no broadcast address.
    private static Address lastUsable(Prefix subnet) {
        return subnet.family() == Family.IPV4 ? subnet.last().previous() : subnet.last();
    }

    private static boolean isAfter(Address one, Address other) {
        return one.compareTo(other) > 0;
    }

    private static Broken outside(String name, Address address, Prefix subnet) {
        return new Broken("%s %s not in network %s".formatted(name, address, subnet));
    }

    private static void checkDisjointRanges(List<SubnetRange> ranges) throws Broken {
        for (int one = 0; one < ranges.size(); one++) {
            for (int other = one + 1; other < ranges.size(); other++) {
                if (ranges.get(one).range().overlaps(ranges.get(other).range())) {
                    throw new Broken("subnets %s and %s overlap"
                            .formatted(
                                    ranges.get(one).words(), ranges.get(other).words()));
                }
            }
        }
    }

    private static void checkCount(List<RangeGroup> groups, PerFamily perFamily) throws Broken {
        for (var family : Family.values()) {
            if (perFamily instanceof PerFamily.One(var version)
                    && groups.stream().filter(group -> group.family() == family).count() > 1) {
                throw new Broken("CNI version %s does not support more than 1 address per family".formatted(version));
            }
        }
    }

    private static void checkDisjointGroups(List<RangeGroup> groups) throws Broken {
        for (int one = 0; one < groups.size(); one++) {
            for (int other = one + 1; other < groups.size(); other++) {
                if (groups.get(one).overlaps(groups.get(other))) {
                    throw new Broken("range set %d overlaps with %d".formatted(one, other));
                }
            }
        }
    }

    private static final class Broken extends Exception {

        private static final long serialVersionUID = 1;

        private final String sentence;

        Broken(String sentence) {
            // No stack trace: it is a way to say no, and never leaves this class.
            super(sentence, null, false, false);
            this.sentence = sentence;
        }
    }
}
