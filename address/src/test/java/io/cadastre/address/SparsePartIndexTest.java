package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparsePartIndexTest {

    private static final BigInteger ALL = BigInteger.TWO.pow(64);

    @Test
    void newIndexIsFreeThroughout() {
        var index = new SparsePartIndex(-1L);

        assertThat(index.size()).isEqualTo(ALL);
        assertThat(index.count()).isZero();
        assertThat(index.full()).isFalse();
        assertThat(index.contains(-1L)).isFalse();
        assertThat(index.nextFree(-1L)).isEqualTo(-1L);
    }

    @Test
    void allPartsCanBeTakenAndGivenBackAtOnce() {
        var index = new SparsePartIndex(-1L);

        assertThat(index.addRange(0, -1L)).isEqualTo(ALL);
        assertThat(index.addRange(0, -1L)).isZero();
        assertThat(index.full()).isTrue();
        assertThat(index.count()).isEqualTo(ALL);
        assertThatThrownBy(() -> index.nextFree(5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("all 18446744073709551616 parts are used");
        assertThat(index.removeRange(0, -1L)).isEqualTo(ALL);
        assertThat(index.removeRange(0, -1L)).isZero();
        assertThat(index.count()).isZero();
    }

    @Test
    void theOnlyFreePartIsFoundFromEverywhere() {
        Cases.run(2_000, chance -> {
            long free = chance.bits();
            var index = new SparsePartIndex(-1L);
            index.addRange(0, -1L);

            assertThat(index.remove(free)).isTrue();

            assertThat(index.count()).isEqualTo(ALL.subtract(BigInteger.ONE));
            for (int i = 0; i < 10; i++) {
                assertThat(index.nextFree(chance.bits())).isEqualTo(free);
            }
            assertThat(index.add(free)).isTrue();
            assertThat(index.full()).isTrue();
        });
    }

    @Test
    void copyGoesItsOwnWay() {
        var index = new SparsePartIndex(-1L);
        index.addRange(0, 1L << 40);

        var copy = index.copy();
        copy.add(-1L);
        index.remove(5);

        assertThat(copy.contains(5)).isTrue();
        assertThat(copy.count()).isEqualTo((1L << 40) + 2);
        assertThat(index.contains(-1L)).isFalse();
        assertThat(index.count()).isEqualTo(1L << 40);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 4096, -1L, Long.MIN_VALUE})
    void partOutOfBoundsIsRefusedAndChangesNothing(long part) {
        var index = new SparsePartIndex(99);

        assertThatThrownBy(() -> index.add(part))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("there is no part %s among 100".formatted(Long.toUnsignedString(part)));
        assertThatThrownBy(() -> index.remove(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.contains(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.nextFree(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.addRange(0, part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.removeRange(0, part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(index.count()).isZero();
    }

    @Test
    void rangeThatEndsBeforeItsStartIsRefused() {
        var index = new SparsePartIndex(-1L);

        assertThatThrownBy(() -> index.addRange(-1L, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parts 18446744073709551615 to 1 are not in order");
    }

    @Test
    void agreesWithBitSetOnSmallSpaces() {
        Cases.run(300, chance -> {
            int size = chance.oneOf(List.of(1, 63, 64, 65, 4095, 4096, 4097, 20_000, 300_000));
            var index = new SparsePartIndex(size - 1);
            var twin = new BitSet(size);
            if (chance.oneIn(2)) {
                index.addRange(0, size - 1);
                twin.set(0, size);
            }

            for (int step = 0; step < 200; step++) {
                if (chance.oneIn(50)) {
                    index = index.copy();
                }
                changeBoth(chance, index, twin, size);
                assertAlike(index, twin, chance.below(size), size);
            }
        });
    }

    private static void changeBoth(Chance chance, SparsePartIndex index, BitSet twin, int size) {
        int first = chance.below(size);
        int last = Math.min(size - 1, first + chance.below(chance.oneIn(2) ? 200 : size));
        int used = twin.get(first, last + 1).cardinality();
        switch (chance.below(6)) {
            case 0, 1 -> {
                assertThat(index.add(first)).isEqualTo(!twin.get(first));
                twin.set(first);
            }
            case 2, 3 -> {
                assertThat(index.remove(first)).isEqualTo(twin.get(first));
                twin.clear(first);
            }
            case 4 -> {
                assertThat(index.addRange(first, last)).isEqualTo(last - first + 1 - used);
                twin.set(first, last + 1);
            }
            default -> {
                assertThat(index.removeRange(first, last)).isEqualTo(used);
                twin.clear(first, last + 1);
            }
        }
    }

    private static void assertAlike(SparsePartIndex index, BitSet twin, int from, int size) {
        assertThat(index.count()).isEqualTo(twin.cardinality());
        assertThat(index.full()).isEqualTo(twin.cardinality() == size);
        assertThat(index.contains(from)).isEqualTo(twin.get(from));
        if (!index.full()) {
            int right = twin.nextClearBit(from);
            assertThat(index.nextFree(from)).isEqualTo(right < size ? right : twin.nextClearBit(0));
        }
    }

    @Test
    void agreesWithSetOfRangesOnTheWholeSpace() {
        Cases.run(1_500, chance -> {
            long lastPart = chance.oneIn(2) ? -1L : chance.bits();
            var index = new SparsePartIndex(lastPart);
            var twin = new RangeTwin(lastPart);
            var centre = chance.bits();

            for (int step = 0; step < 60; step++) {
                if (chance.oneIn(20)) {
                    index = index.copy();
                }
                long first = part(chance, centre, lastPart);
                long last = chance.oneIn(3) ? first : part(chance, centre, lastPart);
                if (Long.compareUnsigned(first, last) > 0) {
                    long swapped = first;
                    first = last;
                    last = swapped;
                }
                if (chance.oneIn(2)) {
                    assertThat(index.addRange(first, last)).isEqualTo(twin.addRange(first, last));
                } else {
                    assertThat(index.removeRange(first, last)).isEqualTo(twin.removeRange(first, last));
                }
                long single = part(chance, centre, lastPart);
                if (chance.oneIn(2)) {
                    assertThat(index.add(single))
                            .isEqualTo(twin.addRange(single, single).signum() > 0);
                } else {
                    assertThat(index.remove(single))
                            .isEqualTo(twin.removeRange(single, single).signum() > 0);
                }

                long from = chance.oneIn(2) ? single : part(chance, centre, lastPart);
                assertThat(index.contains(from)).isEqualTo(twin.contains(from));
                assertThat(index.count()).isEqualTo(twin.count());
                assertThat(index.full()).isEqualTo(twin.full());
                if (!twin.full()) {
                    assertThat(SlowArithmetic.unsigned(index.nextFree(from))).isEqualTo(twin.nextFree(from));
                }
            }
        });
    }

    /// A part near the centre, near an edge, or anywhere, of those that exist.
    private static long part(Chance chance, long centre, long lastPart) {
        long part =
                switch (chance.below(4)) {
                    case 0 -> centre + chance.below(100);
                    case 1 -> centre + chance.below(20_000);
                    case 2 -> centre ^ chance.bits();
                    default -> chance.bits();
                };
        return Long.compareUnsigned(part, lastPart) > 0
                ? (lastPart == -1L ? part : Long.remainderUnsigned(part, lastPart + 1))
                : part;
    }
}
