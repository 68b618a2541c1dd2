package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.engine.Missing;

/// All documents of one kind, or a part of them that stores list by itself. It may be known completely, or
/// not have been listed yet.
public sealed interface BlockListing extends Missing {

    record OfPools() implements BlockListing {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfReservations() implements BlockListing {
        @Override
        public String sentence() {
            return "the reservations have not been listed";
        }
    }

    /// The affinities of one owner in one family.
    record OfAffinities(Owner owner, Family family) implements BlockListing {
        @Override
        public String sentence() {
            return "the %s affinities of %s have not been listed".formatted(family, owner);
        }
    }

    record OfAllAffinities() implements BlockListing {
        @Override
        public String sentence() {
            return "the affinities have not been listed";
        }
    }

    record OfBlocks(Family family) implements BlockListing {
        @Override
        public String sentence() {
            return "the %s blocks have not been listed".formatted(family);
        }
    }

    record OfHandles() implements BlockListing {
        @Override
        public String sentence() {
            return "the handles have not been listed";
        }
    }
}
