package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Missing;

/// Something that this law needs and that has not been read.
public sealed interface MissingBlockItem extends Missing {

    record OfConfig() implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the configuration has not been read";
        }
    }

    record OfPools() implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the pools have not been listed";
        }
    }

    record OfReservations() implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the reservations have not been listed";
        }
    }

    record OfNode(String name) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "node %s has not been read".formatted(name);
        }
    }

    /// The affinities of one owner in one family.
    record OfAffinities(Owner owner, Family family) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the %s affinities of %s have not been listed".formatted(family, owner);
        }
    }

    record OfAffinity(Owner owner, Prefix cidr) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the affinity of %s for %s has not been read".formatted(owner, cidr);
        }
    }

    record OfAllAffinities() implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the affinities have not been listed";
        }
    }

    record OfBlock(Prefix cidr) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "block %s has not been read".formatted(cidr);
        }
    }

    record OfAllBlocks(Family family) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the %s blocks have not been listed".formatted(family);
        }
    }

    record OfHandle(String id) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "handle %s has not been read".formatted(id);
        }
    }

    record OfAllHandles() implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the handles have not been listed";
        }
    }

    /// The record that old releases kept of a host.
    record OfHostRecord(String host) implements MissingBlockItem {
        @Override
        public String sentence() {
            return "the record of host %s has not been read".formatted(host);
        }
    }
}
