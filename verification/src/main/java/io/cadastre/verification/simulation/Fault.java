package io.cadastre.verification.simulation;

/// What can go wrong at a store call.
enum Fault {
    /// The call takes its time, before and after its effect.
    DELAY,
    /// A commit is told of a conflict and has no effect.
    CONFLICT,
    /// A commit has its effect and the answer is lost.
    ANSWER_LOST,
    /// A commit has no effect and the answer is lost.
    REQUEST_LOST,
    /// The answer is lost, and the commit reaches the store some time later.
    REQUEST_LATE,
    /// A watch tells what happened late.
    WATCH_STALE,
    /// A watch tells what happened twice.
    WATCH_REPEATED,
    /// The process dies before the call has its effect.
    CRASH_BEFORE,
    /// The process dies after the call had its effect.
    CRASH_AFTER
}
