package io.cadastre.verification.simulation;

/// One life of a simulated process. When it is over, each of its threads dies at its next store call.
final class Life {

    private final String name;
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
        alive = false;
        throw new Crash();
    }
}
