package io.cadastre.wire.calico;

import io.cadastre.wire.calico.CalicoPage.Saved;

import java.util.List;

/// What a book knows before it reads anything.
interface Memory {

    /// What the next page begins with.
    Knowledge recall();

    /// Takes note of what a page read, and of what it wrote afterwards.
    void keep(Knowledge read, List<Saved> saved);

    /// Forgets what pages have read.
    void forget();

    /// Whether it knows anything.
    boolean keeps();

    /// Knows nothing, so that every page reads for itself.
    record Nothing() implements Memory {

        @Override
        public Knowledge recall() {
            return Knowledge.NONE;
        }

        @Override
        public void keep(Knowledge read, List<Saved> saved) {}

        @Override
        public void forget() {}

        @Override
        public boolean keeps() {
            return false;
        }
    }
}
