package io.cadastre.verification.simulation.runtime;

/// What can go wrong at a call of the store or of the ledger's journal.
public enum Fault {
    /// The call takes its time, before and after its effect.
    DELAY,
    /// A reading ends in an exception.
    READ_FAILED,
    /// A commit is answered with a conflict and has no effect.
    CONFLICT,
    /// A commit has its effect and the answer is lost.
    ANSWER_LOST,
    /// A commit has no effect and the answer is lost.
    REQUEST_LOST,
    /// The answer is lost, and the commit reaches the store some time later.
    REQUEST_LATE,
    /// A watch reports late what happened.
    WATCH_STALE,
    /// A watch reports twice what happened.
    WATCH_REPEATED,
    /// A watch gets the answer that what it missed is compacted, and is over.
    WATCH_COMPACTED,
    /// An entry of the ledger is refused.
    APPEND_FAILED,
    /// An entry is written and the answer is lost.
    APPEND_ANSWER_LOST,
    /// An entry is not written and the answer is lost.
    APPEND_LOST,
    /// The process dies before the call has its effect.
    CRASH_BEFORE,
    /// The process dies after the call had its effect.
    CRASH_AFTER
}
