package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The shape of the tree below [SparsePartIndex]; what it answers is tested there.
class BranchTest {

    private static final int SLOTS = 64;

    /// From the slots of the root down to a leaf.
    private static final int LEVELS_MAX = 9;

    @Test
    void treeHasNoUniformTractAndNoMoreThanAPathPerBorder() {
        Cases.run(1_000, chance -> {
            var root = Branch.root();
            var twin = new RangeTwin(-1L);
            for (int step = 0; step < 40; step++) {
                long first = chance.bits();
                long last = chance.oneIn(2) ? first : chance.bits();
                boolean used = chance.oneIn(2);
                change(
                        root,
                        twin,
                        Long.compareUnsigned(first, last) <= 0 ? first : last,
                        Long.compareUnsigned(first, last) <= 0 ? last : first,
                        used);

                assertThat(tractsBelow(root)).isLessThanOrEqualTo(LEVELS_MAX * twin.borders());
            }
        });
    }

    @Test
    void lonePartTakesNoMoreThanALeafAndABranch() {
        Cases.run(300, chance -> {
            boolean used = chance.oneIn(2);
            var root = Branch.root();
            root.set(0, -1L, !used);
            for (int parts = 1; parts <= 300; parts++) {
                long part = chance.bits();
                root.set(part, part, used);

                assertThat(tractsBelow(root)).isLessThanOrEqualTo(2 * parts);
            }
        });
    }

    @Test
    void treeOfAFullSpaceIsBare() {
        var root = Branch.root();
        Cases.run(500, chance -> root.set(chance.bits(), -1L, chance.oneIn(2)));

        root.set(0, -1L, true);

        assertThat(root.full()).isTrue();
        assertThat(tractsBelow(root)).isZero();
    }

    private static void change(Branch root, RangeTwin twin, long first, long last, boolean used) {
        root.set(first, last, used);
        if (used) {
            twin.addRange(first, last);
        } else {
            twin.removeRange(first, last);
        }
    }

    private static int tractsBelow(Branch branch) {
        int tracts = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (branch.divided(slot)) {
                var child = branch.child(slot);
                assertThat(child.full() || child.empty()).isFalse();
                tracts += 1 + (child instanceof Branch below ? tractsBelow(below) : 0);
            }
        }
        return tracts;
    }
}
