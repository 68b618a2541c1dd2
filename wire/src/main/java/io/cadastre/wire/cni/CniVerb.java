package io.cadastre.wire.cni;

import java.util.Arrays;
import java.util.Optional;

/// What a runtime may ask of a plugin.
public enum CniVerb {
    ADD,
    DEL,
    CHECK,
    GC,
    STATUS,
    VERSION;

    /// The verb that is written like this, in upper case.
    public static Optional<CniVerb> find(String text) {
        return Arrays.stream(values()).filter(verb -> verb.name().equals(text)).findFirst();
    }
}
