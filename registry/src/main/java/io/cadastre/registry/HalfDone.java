package io.cadastre.registry;

import io.cadastre.engine.Holding;

import java.util.ArrayList;
import java.util.List;

/// What a save has written that stopped half way, where a store applies writes one by one.
///
/// The next decision finds it and goes on from there, so none of its own changes tells of it; and yet it
/// was done, and somebody holds something because of it.
///
/// @param revision the revision of the store after it; zero if nobody can tell
/// @param granted what somebody holds because of it
/// @param returned what somebody no longer holds because of it
/// @param rest what is known of the writes after these
public record HalfDone(long revision, List<Holding> granted, List<Holding> returned, Rest rest) {

    /// What became of the writes that a save did not get to.
    public enum Rest {
        /// The store refused the next one, so none of them was done.
        NOT_WRITTEN,
        /// The answer to the next one was lost.
        UNKNOWN
    }

    public HalfDone {
        granted = List.copyOf(granted);
        returned = List.copyOf(returned);
    }

    /// Whether anybody's holdings are others than before.
    boolean matters() {
        return !granted.isEmpty() || !returned.isEmpty();
    }

    /// These holdings without those that were granted by such halves.
    static List<Holding> withoutGranted(List<Holding> holdings, List<HalfDone> halves) {
        return without(holdings, halves.stream().map(HalfDone::granted).toList());
    }

    /// These holdings without those that were returned by such halves.
    static List<Holding> withoutReturned(List<Holding> holdings, List<HalfDone> halves) {
        return without(holdings, halves.stream().map(HalfDone::returned).toList());
    }

    private static List<Holding> without(List<Holding> holdings, List<List<Holding>> told) {
        var rest = new ArrayList<>(holdings);
        told.forEach(rest::removeAll);
        return rest;
    }
}
