package io.cadastre.address;

/// Arithmetic on words of 64 bits that a processor does without guessing a branch.
final class Words {

    private Words() {}

    /// All ones if the word is zero, else zero.
    static long onesIfZero(long word) {
        return ~((word | -word) >> (Long.SIZE - 1));
    }
}
