package io.cadastre.engine.block.release;

/// Which sequence number an address must have been given at, so that a late release does not free what
/// another holder was given since.
public sealed interface SequenceCheck {

    /// Whichever.
    record Any() implements SequenceCheck {}

    /// This one. An address without a number counts as zero.
    record Exactly(long sequence) implements SequenceCheck {}

    default boolean accepts(long sequence) {
        return switch (this) {
            case Any _ -> true;
            case Exactly(var expected) -> expected == sequence;
        };
    }
}
