package io.cadastre.engine.block;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// At which sequence number of the block each ordinal was given away. Packed: a number per ordinal, and
/// a bit that distinguishes zero from none.
final class Sequences {

    private final long[] numbers;
    private final long[] recorded;

    private Sequences(long[] numbers, long[] recorded) {
        this.numbers = numbers;
        this.recorded = recorded;
    }

    static Sequences none(int size) {
        return new Sequences(new long[size], new long[Math.ceilDiv(size, Long.SIZE)]);
    }

    static Sequences of(int size, SortedMap<Integer, Long> numbers) {
        var sequences = none(size);
        numbers.forEach(sequences::put);
        return sequences;
    }

    Sequences copy() {
        return new Sequences(numbers.clone(), recorded.clone());
    }

    /// The number of the ordinal, zero if there is none.
    long orZero(int ordinal) {
        return numbers[ordinal];
    }

    boolean has(int ordinal) {
        return (recorded[ordinal / Long.SIZE] >>> ordinal & 1) == 1;
    }

    /// The ordinals that have a number, in order.
    int[] ordinals() {
        int count = 0;
        for (long word : recorded) {
            count += Long.bitCount(word);
        }
        var ordinals = new int[count];
        int at = 0;
        for (int index = 0; index < recorded.length; index++) {
            for (long word = recorded[index]; word != 0; word &= word - 1) {
                ordinals[at++] = index * Long.SIZE + Long.numberOfTrailingZeros(word);
            }
        }
        return ordinals;
    }

    SortedMap<Integer, Long> map() {
        var map = new TreeMap<Integer, Long>();
        for (int ordinal : ordinals()) {
            map.put(ordinal, numbers[ordinal]);
        }
        return Collections.unmodifiableSortedMap(map);
    }

    /// Only on a copy that is not shared yet.
    void put(int ordinal, long number) {
        numbers[ordinal] = number;
        recorded[ordinal / Long.SIZE] |= 1L << ordinal;
    }

    /// Only on a copy that is not shared yet.
    void remove(int ordinal) {
        numbers[ordinal] = 0;
        recorded[ordinal / Long.SIZE] &= ~(1L << ordinal);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sequences that
                && Arrays.equals(numbers, that.numbers)
                && Arrays.equals(recorded, that.recorded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }
}
