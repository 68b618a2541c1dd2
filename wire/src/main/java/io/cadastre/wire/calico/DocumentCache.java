package io.cadastre.wire.calico;

import io.cadastre.wire.calico.CalicoPage.Saved;
import java.util.List;

/// What a book knows before it reads anything.
interface DocumentCache {

    /// What the next page begins with.
    CalicoSnapshot recall();

    /// Takes note of what a page read, and of what it wrote afterwards.
    void keep(CalicoSnapshot read, List<Saved> saved);

    /// Forgets what pages have read.
    void forget();

    /// Whether it knows anything.
    boolean keeps();

    /// Knows nothing, so that every page reads for itself.
    record Nothing() implements DocumentCache {

        @Override
        public CalicoSnapshot recall() {
            return CalicoSnapshot.NONE;
        }

        @Override
        public void keep(CalicoSnapshot read, List<Saved> saved) {}

        @Override
        public void forget() {}

        @Override
        public boolean keeps() {
            return false;
        }
    }
}
