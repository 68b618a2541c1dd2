package io.cadastre.controller.nodecidr;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// When the lists of all Nodes began: a leader needs one that shows all that was written before its election.
///
/// Not safe for several threads at once.
final class ListAge {

    /// A list that began this long before the election may miss what the leader before wrote. Between its last write
    /// and the election lie more, since a lease ends five seconds after the right to write.
    private static final Duration LIST_AGE_MAX = Duration.ofSeconds(4);

    /// When the list began that is under way, and the one that was complete last.
    private @Nullable Long listingSince;

    private @Nullable Long listedSince;

    /// Whether a list has ever begun.
    private boolean watching;

    private long electedNanos;

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

    void elect(long nowNanos) {
        electedNanos = nowNanos;
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

    /// Whether a list that began then shows all that was written before the election.
    private boolean suffices(@Nullable Long since) {
        return since != null
                && electedNanos - since < LIST_AGE_MAX.toNanos()
                && (lastPatchNanos == null || lastPatchNanos - since <= 0);
    }
}
