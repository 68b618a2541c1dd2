package io.cadastre.engine.block;

import io.cadastre.address.Prefix;

/// That an owner wants a block, has it, or gives it up. Only the block itself says which owner has it;
/// the affinity is the owner's index of its blocks, and its note of what it was about to do.
public record Affinity(Owner owner, Prefix cidr, State state) {

    public enum State {
        /// The owner is about to claim the block.
        PENDING("pending"),
        /// The owner claimed it. Documents without a state mean this too.
        CONFIRMED("confirmed"),
        /// The block is about to be taken from the owner.
        PENDING_DELETION("pendingDeletion");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /// The word in the document.
        public String word() {
            return word;
        }
    }

    public static Affinity pending(Owner owner, Prefix cidr) {
        return new Affinity(owner, cidr, State.PENDING);
    }

    public boolean confirmed() {
        return state == State.CONFIRMED;
    }

    public Affinity in(State other) {
        return new Affinity(owner, cidr, other);
    }

    /// The text by which a store sorts affinities and blocks: `10.0.0.128-26` comes before
    /// `10.0.0.64-26`.
    public static String key(Prefix cidr) {
        return cidr.address() + "-" + cidr.length();
    }
}
