package io.cadastre.engine;

/// An outcome that may refuse what was asked for, wholly or in part, or say of a part that nothing is there.
///
/// What a decision writes is put to the test when it is written. What it refuses is not, so that a refusal
/// must rest on what was read for it.
public interface MayRefuse {

    /// Whether anything is refused, or said not to be there.
    boolean refuses();
}
