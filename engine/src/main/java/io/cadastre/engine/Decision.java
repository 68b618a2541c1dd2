package io.cadastre.engine;

import java.util.ArrayList;
import java.util.List;

/// What an engine decided: the outcome, the changes in the order they must be written, and the
/// reasons. Nothing has happened yet.
///
/// A decision may need more writes than a store takes at once. Then it is saved up to one of its seams,
/// and the rest is decided anew on what was saved.
///
/// @param seams after how many changes it may be cut, in ascending order: nothing is half done there, and
///     a law that is asked again goes on from there. One without seams is saved as a whole or not at all
public record Decision<C extends Change, O>(
        O outcome, List<C> changes, List<Because> because, List<Integer> seams, Extent extent) {

    /// How much of a decision this is.
    public enum Extent {
        WHOLE,

        /// The changes up to a seam, which were saved. The outcome is what the whole would have come to.
        SAVED_PART
    }

    public Decision {
        changes = List.copyOf(changes);
        because = List.copyOf(because);
        seams = List.copyOf(seams);
        int former = 0;
        for (int seam : seams) {
            if (seam <= former || seam > changes.size()) {
                throw new IllegalArgumentException("%s are not seams of %d changes".formatted(seams, changes.size()));
            }
            former = seam;
        }
    }

    /// One that is not to be cut.
    public Decision(O outcome, List<C> changes, List<Because> because) {
        this(outcome, changes, because, List.of(), Extent.WHOLE);
    }

    /// The same changes with another outcome.
    public <P> Decision<C, P> withOutcome(P other) {
        return new Decision<>(other, changes, because, seams, extent);
    }

    /// The same with these reasons behind its own.
    public Decision<C, O> withRemarks(List<Because> remarks) {
        if (remarks.isEmpty()) {
            return this;
        }
        var more = new ArrayList<>(because);
        more.addAll(remarks);
        return new Decision<>(outcome, changes, more, seams, extent);
    }

    /// How many changes there are up to the last seam that has at most `changesMax` changes before it;
    /// zero if there is no such seam.
    public int changesUpToSeam(int changesMax) {
        return seams.reversed().stream()
                .mapToInt(Integer::intValue)
                .filter(seam -> seam <= changesMax)
                .findFirst()
                .orElse(0);
    }

    /// The first changes, which were saved.
    public Decision<C, O> savedPart(int count) {
        return new Decision<>(outcome, changes.subList(0, count), because, List.of(), Extent.SAVED_PART);
    }
}
