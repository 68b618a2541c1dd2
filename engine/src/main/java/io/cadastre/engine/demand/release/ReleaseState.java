package io.cadastre.engine.demand.release;

import java.util.Arrays;
import java.util.Optional;

/// How far the release of an address has come.
public enum ReleaseState {
    MARKED("marked-for-release"),
    READY("ready-for-release"),
    DENIED("do-not-release"),
    RELEASED("released");

    private final String word;

    ReleaseState(String word) {
        this.word = word;
    }

    /// As it is written.
    public String word() {
        return word;
    }

    /// The state of this word, if there is one.
    public static Optional<ReleaseState> find(String word) {
        return Arrays.stream(values()).filter(state -> state.word.equals(word)).findFirst();
    }
}
