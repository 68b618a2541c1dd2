package io.cadastre.engine.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Survey;
import io.cadastre.engine.hostlocal.HostLocalAllocation.Allocated;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Random range sets, folders and requests. A failure names its seed.
class HostLocalPropertiesTest {

    private static final int SEEDS = 400;
    private static final int STEPS = 60;

    @Test
    void theSurveyAcceptsTheWorldAfterEachChangeOfEveryDecision() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var groups = randomGroups(random);
            var view = HostLocalView.EMPTY;
            for (int step = 0; step < STEPS; step++) {
                for (var change : randomDecision(random, view, groups).changes()) {
                    view = view.with(change);

                    assertThat(Survey.of(HostLocalHoldings.of(groups, view)))
                            .as("seed %d, step %d", seed, step)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void aTwinThatWalksFromAddressToAddressFindsTheSame() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var groups = randomGroups(random);
            var view = randomView(random, groups);
            for (int step = 0; step < STEPS; step++) {
                var attachment = new HostLocalAttachment("new-" + step, "eth0");
                var request = new HostLocalRequest(attachment, groups, List.of());

                var decision = HostLocalEngine.allocate(view, request);

                var expected = walked(view, groups);
                if (decision.outcome() instanceof Allocated(var leases)) {
                    assertThat(leases.stream().map(LeasedAddress::address).toList())
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(expected);
                    assertThat(HostLocalEngine.status(view, groups).outcome()).isEqualTo(new Readiness.Ready());
                } else {
                    assertThat(expected.size())
                            .as("seed %d, step %d", seed, step)
                            .isLessThan(groups.size());
                    assertThat(HostLocalEngine.status(view, groups).outcome()).isInstanceOf(Readiness.Full.class);
                }
                for (var change : decision.changes()) {
                    view = view.with(change);
                }
            }
        }
    }

    /// After a stop at any change, the same call releases all of it.
    @Test
    void givingBackLeavesNothingWhereverAnAllocationStopped() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new Random(seed);
            var groups = randomGroups(random);
            var before = randomView(random, groups);
            var pod = new HostLocalAttachment("new", "eth0");
            var request = new HostLocalRequest(pod, groups, List.of());
            var view = before;
            for (var change : HostLocalEngine.allocate(before, request).changes()) {
                view = view.with(change);
                var after = view;
                for (var deletion : HostLocalEngine.release(view, pod).changes()) {
                    after = after.with(deletion);
                }

                assertThat(after.entries()).as("seed %d", seed).isEqualTo(before.entries());
            }
        }
    }

    /// What the twin finds, up to the first set that is full.
    private static List<Address> walked(HostLocalView view, List<RangeGroup> groups) {
        var used = new TreeSet<Address>();
        view.entries().forEach(entry -> entry.address().ifPresent(used::add));
        var found = new ArrayList<Address>();
        for (int set = 0; set < groups.size(); set++) {
            var next = SlowNetwork.next(view, set, groups.get(set), used);
            if (next.isEmpty()) {
                return found;
            }
            found.add(next.get());
        }
        return found;
    }

    private static Decision<HostLocalChange, ?> randomDecision(
            Random random, HostLocalView view, List<RangeGroup> groups) {
        var attachment = new HostLocalAttachment("pod-" + random.nextInt(12), "eth" + random.nextInt(2));
        return switch (random.nextInt(8)) {
            case 0, 1 -> HostLocalEngine.release(view, attachment);
            case 2 -> HostLocalEngine.collect(view, List.of(attachment, anAttachment(random)));
            default -> {
                var requested = new ArrayList<Address>();
                while (random.nextInt(4) == 0) {
                    requested.add(randomAddress(random));
                }
                yield HostLocalEngine.allocate(view, new HostLocalRequest(attachment, groups, requested));
            }
        };
    }

    private static HostLocalAttachment anAttachment(Random random) {
        return new HostLocalAttachment("pod-" + random.nextInt(12), "eth0");
    }

    private static HostLocalView randomView(Random random, List<RangeGroup> groups) {
        var entries = new TreeMap<String, FolderEntry>();
        int density = random.nextInt(5);
        for (int low = 0; low < 64; low++) {
            if (random.nextInt(5) < density) {
                var address = Address.ipv4(0x0a000000 + low);
                entries.put(address.toString(), new FolderEntry(address.toString(), "old-" + low));
            }
        }
        var last = new TreeMap<Integer, Address>();
        for (int set = 0; set < groups.size(); set++) {
            if (random.nextBoolean()) {
                last.put(set, randomAddress(random));
            }
        }
        return new HostLocalView(List.copyOf(entries.values()), HostLocalView.EMPTY.barred(), last);
    }

    private static Address randomAddress(Random random) {
        return Address.ipv4(0x0a000000 + random.nextInt(64));
    }

    /// Sets in 10.0.0.0/26, as the rules allow them.
    private static List<RangeGroup> randomGroups(Random random) {
        // Ends with probability one: a single range is never rejected for long.
        while (true) {
            var sets = new ArrayList<List<WrittenRange>>();
            int setCount = 1 + random.nextInt(3);
            for (int set = 0; set < setCount; set++) {
                var ranges = new ArrayList<WrittenRange>();
                int rangeCount = 1 + random.nextInt(3);
                for (int range = 0; range < rangeCount; range++) {
                    ranges.add(randomRange(random));
                }
                sets.add(ranges);
            }
            if (HostLocalSetup.from(sets, new PerFamily.Any()) instanceof HostLocalSetup.Configured(var groups)) {
                return groups;
            }
        }
    }

    private static WrittenRange randomRange(Random random) {
        int length = 26 + random.nextInt(5);
        var subnet = Prefix.containing(randomAddress(random), length);
        var range = WrittenRange.nothing().in(subnet.address(), length);
        if (random.nextInt(3) == 0) {
            range = range.from(randomAddress(random));
        }
        if (random.nextInt(3) == 0) {
            range = range.to(randomAddress(random));
        }
        return random.nextInt(3) == 0 ? range.through(randomAddress(random)) : range;
    }
}
