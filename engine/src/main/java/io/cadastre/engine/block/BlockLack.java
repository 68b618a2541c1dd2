package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Lack;

/// Something that this law must look at and that nobody has read.
public sealed interface BlockLack extends Lack {

    record OfConfig() implements BlockLack {
        @Override
        public String sentence() {
            return "the configuration has not been read";
        }
    }

    record OfPools() implements BlockLack {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfReservations() implements BlockLack {
        @Override
        public String sentence() {
            return "the reservations have not been listed";
        }
    }

    record OfNode(String name) implements BlockLack {
        @Override
        public String sentence() {
            return "node %s has not been read".formatted(name);
        }
    }

    /// The affinities of one owner in one family.
    record OfAffinities(Owner owner, Family family) implements BlockLack {
        @Override
        public String sentence() {
            return "the %s affinities of %s have not been listed".formatted(family, owner);
        }
    }

    record OfAffinity(Owner owner, Prefix cidr) implements BlockLack {
        @Override
        public String sentence() {
            return "the affinity of %s for %s has not been read".formatted(owner, cidr);
        }
    }

    record OfAllAffinities() implements BlockLack {
        @Override
        public String sentence() {
            return "the affinities have not been listed";
        }
    }

    record OfBlock(Prefix cidr) implements BlockLack {
        @Override
        public String sentence() {
            return "block %s has not been read".formatted(cidr);
        }
    }

    record OfAllBlocks(Family family) implements BlockLack {
        @Override
        public String sentence() {
            return "the %s blocks have not been listed".formatted(family);
        }
    }

    record OfHandle(String id) implements BlockLack {
        @Override
        public String sentence() {
            return "handle %s has not been read".formatted(id);
        }
    }

    record OfAllHandles() implements BlockLack {
        @Override
        public String sentence() {
            return "the handles have not been listed";
        }
    }

    /// The record that old releases kept of a host.
    record OfHostRecord(String host) implements BlockLack {
        @Override
        public String sentence() {
            return "the record of host %s has not been read".formatted(host);
        }
    }
}
