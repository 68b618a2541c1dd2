package io.cadastre.verification.simulation.runtime;

import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// One life of a simulated process. When it is over, each of its threads dies at its next store call.
public final class ProcessLife {

    private final String name;
    private final Map<String, Long> watched = new TreeMap<>();

    /// The requests that the commit under way is for, or the next one.
    private final Set<Long> decided = new HashSet<>();

    private final Set<Long> unanswered = new HashSet<>();
    private boolean committed;
    private boolean alive = true;
    private boolean owing;

    public ProcessLife(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    public boolean alive() {
        return alive;
    }

    public void dieIfDead() {
        if (!alive) {
            throw new Crash();
        }
    }

    void die() {
        end();
        throw new Crash();
    }

    /// The process notices it at its next store call.
    public void end() {
        alive = false;
    }

    /// What it committed is not in the ledger, and it knows that.
    void owe() {
        owing = true;
    }

    /// The ledger took an entry.
    void pay() {
        owing = false;
    }

    boolean owes() {
        return owing;
    }

    /// A request is decided. Those that were decided before the last commit are decided again if they are to
    /// be in the next.
    void decide(long request) {
        if (committed) {
            decided.clear();
            committed = false;
        }
        decided.add(request);
    }

    /// What was decided is being written.
    void commit() {
        committed = true;
    }

    /// The answer to a commit was lost.
    void loseAnswer() {
        unanswered.addAll(decided);
    }

    /// Whether the answer to a commit for this request was lost.
    boolean lostAnswerTo(long request) {
        return unanswered.contains(request);
    }

    /// What is under the prefix is known to a watcher of this process as of this revision.
    void watched(String prefix, long revision) {
        watched.put(prefix, revision);
    }

    /// A list of what is under the prefix, as of this revision, is on its way to a watcher of this process.
    /// Until it arrives the watcher knows what it knew before, which may be older.
    void watchedAtMost(String prefix, long revision) {
        watched.merge(prefix, revision, Math::min);
    }

    /// The revision of the oldest of what is known by watching.
    OptionalLong watchedUpTo() {
        return watched.values().stream().mapToLong(Long::longValue).min();
    }
}
