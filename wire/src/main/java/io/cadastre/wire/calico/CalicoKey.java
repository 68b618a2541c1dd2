package io.cadastre.wire.calico;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Owner;

/// Which of Calico's documents is meant.
public sealed interface CalicoKey {

    /// The key in etcd.
    default String text() {
        return CalicoKeys.text(this);
    }

    record OfBlock(Prefix cidr) implements CalicoKey {}

    record OfAffinity(Owner owner, Prefix cidr) implements CalicoKey {

        public OfAffinity {
            if (owner.kind() == Owner.Kind.FOREIGN) {
                throw new IllegalArgumentException("affinities of '%s' have no known key".formatted(owner));
            }
            CalicoKeys.checkName(owner.name());
        }
    }

    record OfHandle(String id) implements CalicoKey {

        public OfHandle {
            CalicoKeys.checkName(id);
        }
    }

    record OfConfig() implements CalicoKey {}

    /// The record that old releases kept of a host.
    record OfHostRecord(String host) implements CalicoKey {

        public OfHostRecord {
            CalicoKeys.checkName(host);
        }
    }

    record OfPool(String name) implements CalicoKey {

        public OfPool {
            CalicoKeys.checkName(name);
        }
    }

    record OfReservation(String name) implements CalicoKey {

        public OfReservation {
            CalicoKeys.checkName(name);
        }
    }

    record OfNode(String name) implements CalicoKey {

        public OfNode {
            CalicoKeys.checkName(name);
        }
    }

    record OfClusterInformation() implements CalicoKey {}
}
