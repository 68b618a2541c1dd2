package io.cadastre.engine.block;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Missing;

/// One document of this law: what a view knows something about, what a change writes, and what may not have
/// been read yet.
///
/// @param <V> what the document says
public sealed interface BlockItem<V> extends Missing {

    static OfPool of(IpPool pool) {
        return new OfPool(pool.name());
    }

    static OfNode of(Node node) {
        return new OfNode(node.name());
    }

    static OfAffinity of(Affinity affinity) {
        return new OfAffinity(affinity.owner(), affinity.cidr());
    }

    static OfBlock of(Block block) {
        return new OfBlock(block.cidr());
    }

    static OfHandle of(Handle handle) {
        return new OfHandle(handle.id());
    }

    record OfConfig() implements BlockItem<IpamConfig> {
        @Override
        public String sentence() {
            return "the configuration has not been read";
        }
    }

    record OfPool(String name) implements BlockItem<IpPool> {
        @Override
        public String sentence() {
            return "pool %s has not been read".formatted(name);
        }
    }

    record OfReservation(String name) implements BlockItem<Reservations> {
        @Override
        public String sentence() {
            return "reservation %s has not been read".formatted(name);
        }
    }

    record OfNode(String name) implements BlockItem<Node> {
        @Override
        public String sentence() {
            return "node %s has not been read".formatted(name);
        }
    }

    record OfAffinity(Owner owner, Prefix cidr) implements BlockItem<Affinity> {
        @Override
        public String sentence() {
            return "the affinity of %s for %s has not been read".formatted(owner, cidr);
        }
    }

    record OfBlock(Prefix cidr) implements BlockItem<Block> {
        @Override
        public String sentence() {
            return "block %s has not been read".formatted(cidr);
        }
    }

    record OfHandle(String id) implements BlockItem<Handle> {
        @Override
        public String sentence() {
            return "handle %s has not been read".formatted(id);
        }
    }

    /// The record that old releases kept of a host. It says nothing but that it is there.
    record OfHostRecord(String host) implements BlockItem<OfHostRecord> {
        @Override
        public String sentence() {
            return "the record of host %s has not been read".formatted(host);
        }
    }
}
