package io.cadastre.verification.simulation;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// One life of a simulated process. When it is over, each of its threads dies at its next store call.
final class Life {

    private final String name;
    private final Map<String, Long> watched = new TreeMap<>();
    private boolean alive = true;
    private boolean owing;
    private boolean sure = true;
    private boolean alwaysAnswered = true;

    Life(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean alive() {
        return alive;
    }

    void dieIfDead() {
        if (!alive) {
            throw new Crash();
        }
    }

    void die() {
        end();
        throw new Crash();
    }

    /// The process notices it at its next store call.
    void end() {
        alive = false;
    }

    /// What it committed is not in the ledger, and it was told so.
    void owe() {
        owing = true;
    }

    /// The ledger took an entry.
    void pay() {
        owing = false;
        sure = true;
    }

    boolean owes() {
        return owing;
    }

    /// The answer to a commit was lost.
    void loseAnswer() {
        sure = false;
        alwaysAnswered = false;
    }

    /// Whether every commit of this life was answered.
    boolean alwaysAnswered() {
        return alwaysAnswered;
    }

    /// Whether every commit was answered since it last wrote into the ledger.
    boolean sure() {
        return sure;
    }

    /// What is under the prefix is known to a watcher of this process as of this revision.
    void watched(String prefix, long revision) {
        watched.put(prefix, revision);
    }

    /// The revision of the oldest of what is known by watching.
    OptionalLong watchedUpTo() {
        return watched.values().stream().mapToLong(Long::longValue).min();
    }
}
