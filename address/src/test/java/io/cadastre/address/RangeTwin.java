package io.cadastre.address;

import java.math.BigInteger;
import java.util.TreeMap;

/// The used parts of a space of up to 2^64 as a sorted map of ranges, first part to last part.
final class RangeTwin {

    private final BigInteger lastPart;
    private final TreeMap<BigInteger, BigInteger> used = new TreeMap<>();

    RangeTwin(long lastPart) {
        this.lastPart = SlowArithmetic.unsigned(lastPart);
    }

    BigInteger addRange(long firstPart, long last) {
        var before = count();
        cut(SlowArithmetic.unsigned(firstPart), SlowArithmetic.unsigned(last));
        used.put(SlowArithmetic.unsigned(firstPart), SlowArithmetic.unsigned(last));
        return count().subtract(before);
    }

    BigInteger removeRange(long firstPart, long last) {
        var before = count();
        cut(SlowArithmetic.unsigned(firstPart), SlowArithmetic.unsigned(last));
        return before.subtract(count());
    }

    boolean contains(long part) {
        var below = used.floorEntry(SlowArithmetic.unsigned(part));
        return below != null && below.getValue().compareTo(SlowArithmetic.unsigned(part)) >= 0;
    }

    BigInteger count() {
        return used.entrySet().stream()
                .map(range -> range.getValue().subtract(range.getKey()).add(BigInteger.ONE))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /// How many times used and free parts meet, at most.
    int borders() {
        return 2 * used.size();
    }

    boolean full() {
        return count().equals(lastPart.add(BigInteger.ONE));
    }

    BigInteger nextFree(long from) {
        var right = skip(SlowArithmetic.unsigned(from));
        return right.compareTo(lastPart) <= 0 ? right : skip(BigInteger.ZERO);
    }

    /// The part, or the one after the used ranges that it lies in.
    private BigInteger skip(BigInteger start) {
        var at = start;
        var below = used.floorEntry(at);
        while (below != null && below.getValue().compareTo(at) >= 0) {
            at = below.getValue().add(BigInteger.ONE);
            below = used.floorEntry(at);
        }
        return at;
    }

    /// Frees the range: drops what lies in it, keeps what sticks out on either side.
    private void cut(BigInteger first, BigInteger last) {
        var below = used.lowerEntry(first);
        if (below != null && below.getValue().compareTo(first) >= 0) {
            used.put(below.getKey(), first.subtract(BigInteger.ONE));
            if (below.getValue().compareTo(last) > 0) {
                used.put(last.add(BigInteger.ONE), below.getValue());
            }
        }
        var inside = used.subMap(first, true, last, true);
        if (!inside.isEmpty()) {
            var end = inside.lastEntry().getValue();
            inside.clear();
            if (end.compareTo(last) > 0) {
                used.put(last.add(BigInteger.ONE), end);
            }
        }
    }
}
