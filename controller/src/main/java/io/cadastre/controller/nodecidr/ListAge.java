package io.cadastre.controller.nodecidr;

import org.jspecify.annotations.Nullable;

/// When the lists of all Nodes began: a leader needs one that shows all that was written before its election.
///
/// Not safe for several threads at once.
final class ListAge {

    /// When the list began that is under way, and the one that was complete last.
    private @Nullable Long listingSince;

    private @Nullable Long listedSince;

    /// Whether a list has ever begun.
    private boolean watching;

    /// By when the terms of all other leaders had ended.
    private long othersEndedNanos;

    /// When the last patch of this process had ended.
    private @Nullable Long lastPatchNanos;

    void begin(long nowNanos) {
        watching = true;
        listingSince = nowNanos;
    }

    void complete() {
        listedSince = listingSince;
        listingSince = null;
    }

    void lose() {
        listingSince = null;
    }

    void elect(long othersEnded) {
        othersEndedNanos = othersEnded;
    }

    void endPatch(long nowNanos) {
        lastPatchNanos = nowNanos;
    }

    /// Whether any list was complete.
    boolean known() {
        return listedSince != null;
    }

    /// Whether the last complete list suffices.
    boolean suffices() {
        return suffices(listedSince);
    }

    /// Whether only another list, past the watch, would suffice. The first list of a process, and one that has just
    /// begun, are waited for.
    boolean tooOld() {
        return !suffices(listedSince) && watching && !suffices(listingSince);
    }

    /// Whether a list that began then shows all that other leaders, and this process in earlier terms, wrote.
    private boolean suffices(@Nullable Long since) {
        return since != null
                && since - othersEndedNanos >= 0
                && (lastPatchNanos == null || lastPatchNanos - since <= 0);
    }
}
