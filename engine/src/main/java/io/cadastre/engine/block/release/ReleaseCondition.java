package io.cadastre.engine.block.release;

/// Whether a block must be empty to be given up.
public enum ReleaseCondition {
    REQUIRED,
    /// A block that is in use loses its owner and is deleted with its last address.
    NOT_REQUIRED
}
