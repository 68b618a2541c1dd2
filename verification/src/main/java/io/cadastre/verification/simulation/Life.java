package io.cadastre.verification.simulation;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// One life of a simulated process. When it is over, each of its threads dies at its next store call.
final class Life {

    private final String name;
    private final Map<String, Long> watched = new TreeMap<>();
    private boolean alive = true;

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

    /// What is under the prefix is known to a watcher of this process as of this revision.
    void watched(String prefix, long revision) {
        watched.put(prefix, revision);
    }

    /// The revision of the oldest of what is known by watching.
    OptionalLong watchedUpTo() {
        return watched.values().stream().mapToLong(Long::longValue).min();
    }
}
