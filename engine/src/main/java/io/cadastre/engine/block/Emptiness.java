package io.cadastre.engine.block;

/// Whether a block must be empty to be given up.
public enum Emptiness {
    REQUIRED,
    /// A block that is in use becomes nobody's and goes with its last address.
    NOT_REQUIRED
}
