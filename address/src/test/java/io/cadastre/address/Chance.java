package io.cadastre.address;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Seeded chance in the words of addresses, with a liking for edges.
final class Chance {

    private static final List<Long> EDGES =
            List.of(0L, 1L, 2L, -1L, -2L, Long.MIN_VALUE, Long.MAX_VALUE, 0xffff_ffffL, 1L << 32);

    private final Random random;

    Chance(Random random) {
        this.random = random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /// A number from `least` to `most`, both included.
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// Any bits: an edge, a few bits, all below or above a bit, or noise.
    long bits() {
        return switch (random.nextInt(6)) {
            case 0 -> oneOf(EDGES);
            case 1 -> 1L << random.nextInt(64);
            case 2 -> -1L << random.nextInt(64);
            case 3 -> -1L >>> random.nextInt(64);
            case 4 -> random.nextLong() >>> random.nextInt(64);
            default -> random.nextLong();
        };
    }

    Family family() {
        return random.nextBoolean() ? Family.IPV4 : Family.IPV6;
    }

    Address address() {
        return address(family());
    }

    Address address(Family family) {
        return family == Family.IPV4 ? Address.ipv4((int) bits()) : Address.ipv6(bits(), bits());
    }

    int length(Family family) {
        return oneIn(4)
                ? oneOf(family == Family.IPV4 ? List.of(0, 1, 31, 32) : List.of(0, 1, 63, 64, 65, 127, 128))
                : between(0, family.bits());
    }

    Prefix prefix(Family family) {
        return Prefix.containing(address(family), length(family));
    }

    Range range(Family family) {
        var one = address(family);
        var other = address(family);
        return one.compareTo(other) <= 0 ? new Range(one, other) : new Range(other, one);
    }

    /// Ranges crowded into 64 addresses at one end of each family, or in the middle, so that they often
    /// meet.
    List<Range> crowdedRanges(int countMax) {
        var ranges = new ArrayList<Range>();
        int count = between(0, countMax);
        for (int i = 0; i < count; i++) {
            var corner = oneOf(List.of(
                    Address.ipv4(0),
                    Address.ipv4(-64),
                    Address.ipv6(0, 0),
                    Address.ipv6(6, -32),
                    Address.ipv6(-1, -64)));
            int first = below(64);
            int last = between(first, Math.min(63, first + 12));
            ranges.add(new Range(corner.plus(first), corner.plus(last)));
        }
        return ranges;
    }
}
