package io.cadastre.engine.block.index;

import java.util.Arrays;

/// The pseudo-random numbers that Go programs get from `math/rand` with a seed.
///
/// Calico draws the first block of a node from them, so the numbers must be the same bit for bit.
/// Each number is the sum, modulo 2^64, of the ones 607 and 273 places before it: y(n) = y(n - 607) +
/// y(n - 273). The state is the last 607 numbers, in a ring that is filled from the top down: number n,
/// counted from one, lies at (334 - n) mod 607.
///
/// A seed fills the ring with numbers of a small generator, each combined with a word of a fixed
/// table. The table is itself a state of this generator, 7.8 million million steps after a simple
/// start, so it need not be written down: it can be jumped to. Let X stand for one step; then
/// X^607 = X^334 + 1, and a step by N places is X^N reduced by that rule to a polynomial P of degree
/// below 607. The number N places after any other is the sum of the ones that follow it, each times
/// its coefficient of P. Squaring and reducing gives P in a few dozen rounds, all modulo 2^64.
public final class LaggedFibonacci {

    private static final int LENGTH = 607;
    private static final int SHORT_LAG = 273;
    private static final int FEED_START = LENGTH - SHORT_LAG;

    private final long[] ring;
    private int tap;
    private int feed = FEED_START;

    private LaggedFibonacci(long[] ring) {
        this.ring = ring;
    }

    public static LaggedFibonacci seeded(long seed) {
        var ring = filled(seed, 40, 20);
        for (int index = 0; index < LENGTH; index++) {
            ring[index] ^= Table.WORDS[index];
        }
        return new LaggedFibonacci(ring);
    }

    /// The next number, all 64 bits of it.
    public long next() {
        tap = Math.floorMod(tap - 1, LENGTH);
        feed = Math.floorMod(feed - 1, LENGTH);
        ring[feed] += ring[tap];
        return ring[feed];
    }

    /// The upper 32 bits of the lower 63 of the next number.
    public long next32() {
        return (next() & Long.MAX_VALUE) >>> 31;
    }

    /// A word of the fixed table.
    public static long tableWord(int index) {
        return Table.WORDS[index];
    }

    private static long[] filled(long seed, int firstShift, int secondShift) {
        var small = new Lehmer(seed);
        var words = new long[LENGTH];
        for (int index = 0; index < LENGTH; index++) {
            words[index] = small.next() << firstShift;
            words[index] ^= small.next() << secondShift;
            words[index] ^= small.next();
        }
        return words;
    }

    /// The multiplicative generator of Lehmer, modulo 2^31 - 1.
    private static final class Lehmer {

        private static final long MODULUS = Integer.MAX_VALUE;
        private static final long MULTIPLIER = 48271;
        private static final long INSTEAD_OF_ZERO = 89482311;
        private static final int SKIPPED = 20;

        private long state;

        private Lehmer(long seed) {
            long start = Math.floorMod(seed, MODULUS);
            state = start == 0 ? INSTEAD_OF_ZERO : start;
            for (int skipped = 0; skipped < SKIPPED; skipped++) {
                next();
            }
        }

        private long next() {
            state = MULTIPLIER * state % MODULUS;
            return state;
        }
    }

    /// Derived when first asked for, once.
    private static final class Table {

        private static final long STEPS = 7_800_000_000_000L;

        static final long[] WORDS = afterSteps(filled(1, 20, 10), STEPS);

        /// The ring after this many steps of [#next()].
        private static long[] afterSteps(long[] ring, long steps) {
            var numbers = numbersFrom(ring);
            var jump = powerOfX(steps);
            var words = new long[LENGTH];
            for (int place = 0; place < LENGTH; place++) {
                long number = 0;
                for (int index = 0; index < LENGTH; index++) {
                    number += jump[index] * numbers[place + index];
                }
                words[indexOf(steps - LENGTH + 1 + place)] = number;
            }
            return words;
        }

        /// The numbers in a ring, oldest first, and as many that follow them.
        private static long[] numbersFrom(long[] ring) {
            var numbers = new long[2 * LENGTH];
            for (int place = 0; place < LENGTH; place++) {
                numbers[place] = ring[indexOf(place + 1)];
            }
            for (int place = LENGTH; place < numbers.length; place++) {
                numbers[place] = numbers[place - LENGTH] + numbers[place - SHORT_LAG];
            }
            return numbers;
        }

        /// Where number n lies in the ring, counted from one.
        private static int indexOf(long n) {
            return (int) Math.floorMod(FEED_START - n, (long) LENGTH);
        }

        private static long[] powerOfX(long exponent) {
            int bit = 0;
            while (exponent >>> bit >= LENGTH) {
                bit++;
            }
            var power = new long[LENGTH];
            power[(int) (exponent >>> bit)] = 1;
            while (bit > 0) {
                bit--;
                power = squared(power);
                if ((exponent >>> bit & 1) == 1) {
                    power = timesX(power);
                }
            }
            return power;
        }

        private static long[] squared(long[] polynomial) {
            var product = new long[2 * LENGTH - 1];
            for (int left = 0; left < LENGTH; left++) {
                long factor = polynomial[left];
                product[2 * left] += factor * factor;
                for (int right = left + 1; right < LENGTH; right++) {
                    product[left + right] += 2 * factor * polynomial[right];
                }
            }
            for (int degree = product.length - 1; degree >= LENGTH; degree--) {
                product[degree - LENGTH] += product[degree];
                product[degree - SHORT_LAG] += product[degree];
            }
            return Arrays.copyOf(product, LENGTH);
        }

        private static long[] timesX(long[] polynomial) {
            var shifted = new long[LENGTH];
            System.arraycopy(polynomial, 0, shifted, 1, LENGTH - 1);
            long carried = polynomial[LENGTH - 1];
            shifted[0] += carried;
            shifted[FEED_START] += carried;
            return shifted;
        }
    }
}
