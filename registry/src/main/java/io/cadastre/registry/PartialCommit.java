package io.cadastre.registry;

import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// What a save has written that stopped half way, where a store applies writes one by one.
///
/// The next decision finds it and goes on from there, so none of its own changes records it; and yet it
/// was done, and there are holdings because of it.
///
/// @param revision the revision of the store after it; zero if that is unknown
/// @param granted the holdings that it grants
/// @param returned the holdings that it takes away
/// @param rest what is known of the writes after these
public record PartialCommit(long revision, List<Holding> granted, List<Holding> returned, Rest rest) {

    /// What became of the writes that a save did not get to.
    public enum Rest {
        /// The store refused the next one, so none of them was done.
        NOT_WRITTEN,
        /// The answer to the next one was lost.
        UNKNOWN
    }

    public PartialCommit {
        granted = List.copyOf(granted);
        returned = List.copyOf(returned);
    }

    /// Whether the store refused to go on, so that no answer was lost.
    static boolean refused(List<PartialCommit> halves) {
        return halves.stream().anyMatch(half -> half.rest() == Rest.NOT_WRITTEN);
    }

    /// Whether it changes any holdings.
    boolean changesHoldings() {
        return !granted.isEmpty() || !returned.isEmpty();
    }

    /// These holdings without those that were granted by such halves.
    static List<Holding> withoutGranted(List<Holding> holdings, List<PartialCommit> halves) {
        return without(holdings, halves.stream().map(PartialCommit::granted).toList());
    }

    /// These holdings without those that were returned by such halves.
    static List<Holding> withoutReturned(List<Holding> holdings, List<PartialCommit> halves) {
        return without(holdings, halves.stream().map(PartialCommit::returned).toList());
    }

    private static List<Holding> without(List<Holding> holdings, List<List<Holding>> told) {
        var rest = new ArrayList<>(holdings);
        told.forEach(rest::removeAll);
        return rest;
    }
}
