package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartIndexTest {

    private static final List<Integer> SIZES =
            List.of(1, 2, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 9000, 262_144, 262_145);

    @Test
    void newIndexIsFreeThroughout() {
        var index = new PartIndex(256);

        assertThat(index.size()).isEqualTo(256);
        assertThat(index.count()).isZero();
        assertThat(index.full()).isFalse();
        assertThat(index.contains(255)).isFalse();
        assertThat(index.nextFree(255)).isEqualTo(255);
    }

    @Test
    void addingTwiceChangesOnce() {
        var index = new PartIndex(256);

        assertThat(index.add(7)).isTrue();
        assertThat(index.add(7)).isFalse();
        assertThat(index.count()).isEqualTo(1);
        assertThat(index.remove(7)).isTrue();
        assertThat(index.remove(7)).isFalse();
        assertThat(index.count()).isZero();
    }

    @Test
    void searchWrapsAround() {
        var index = new PartIndex(130);
        index.addRange(100, 129);

        assertThat(index.nextFree(99)).isEqualTo(99);
        assertThat(index.nextFree(100)).isZero();
        assertThat(index.nextFree(129)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 4097, PartIndex.SIZE_MAX - 1, PartIndex.SIZE_MAX})
    void theOnlyFreePartIsFoundFromEverywhere(int size) {
        for (int free : new int[] {0, size / 3, size / 2, size - 1}) {
            var index = new PartIndex(size);
            index.addRange(0, size - 1);
            index.remove(free);

            for (int from : new int[] {0, free, Math.min(free + 1, size - 1), size / 2, size - 1}) {
                assertThat(index.nextFree(from)).isEqualTo(free);
            }
        }
    }

    @Test
    void fullIndexHasNoNextFreePart() {
        var index = new PartIndex(100);
        assertThat(index.addRange(0, 99)).isEqualTo(100);

        assertThat(index.full()).isTrue();
        assertThatThrownBy(() -> index.nextFree(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("all 100 parts are used");
    }

    @Test
    void copyGoesItsOwnWay() {
        var index = new PartIndex(100);
        index.add(1);

        var copy = index.copy();
        copy.add(2);
        index.remove(1);

        assertThat(copy.contains(1)).isTrue();
        assertThat(copy.count()).isEqualTo(2);
        assertThat(index.contains(2)).isFalse();
        assertThat(index.count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, PartIndex.SIZE_MAX + 1})
    void sizeOutOfBoundsIsRefused(int size) {
        assertThatThrownBy(() -> new PartIndex(size))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an index has from 1 to 16777216 parts, not " + size);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 100, 127, 128, Integer.MAX_VALUE})
    void partOutOfBoundsIsRefusedAndChangesNothing(int part) {
        var index = new PartIndex(100);

        assertThatThrownBy(() -> index.add(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.remove(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.contains(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.nextFree(part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.addRange(part, 99)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.removeRange(0, part)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(index.count()).isZero();
    }

    @Test
    void rangeThatEndsBeforeItsStartIsRefused() {
        var index = new PartIndex(100);

        assertThatThrownBy(() -> index.addRange(2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parts 2 to 1 are not in order");
    }

    @Test
    void agreesWithBitSetOnRandomHistories() {
        Cases.run(400, chance -> {
            int size = chance.oneIn(3) ? chance.between(1, 5000) : chance.oneOf(SIZES);
            var index = new PartIndex(size);
            var twin = new BitSet(size);
            boolean crowded = chance.oneIn(2);
            if (crowded) {
                index.addRange(0, size - 1);
                twin.set(0, size);
            }

            for (int step = 0; step < 200; step++) {
                if (chance.oneIn(50)) {
                    index = index.copy();
                }
                changeBoth(chance, index, twin);
                assertAlike(index, twin, chance.below(size));
            }
        });
    }

    private static void changeBoth(Chance chance, PartIndex index, BitSet twin) {
        int size = index.size();
        int first = chance.below(size);
        int last = Math.min(size - 1, first + chance.below(chance.oneIn(2) ? 200 : size));
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
                int used = twin.get(first, last + 1).cardinality();
                assertThat(index.addRange(first, last)).isEqualTo(last - first + 1 - used);
                twin.set(first, last + 1);
            }
            default -> {
                int used = twin.get(first, last + 1).cardinality();
                assertThat(index.removeRange(first, last)).isEqualTo(used);
                twin.clear(first, last + 1);
            }
        }
    }

    private static void assertAlike(PartIndex index, BitSet twin, int from) {
        assertThat(index.count()).isEqualTo(twin.cardinality());
        assertThat(index.full()).isEqualTo(twin.cardinality() == index.size());
        assertThat(index.contains(from)).isEqualTo(twin.get(from));
        if (!index.full()) {
            int right = twin.nextClearBit(from);
            assertThat(index.nextFree(from)).isEqualTo(right < index.size() ? right : twin.nextClearBit(0));
        }
    }
}
