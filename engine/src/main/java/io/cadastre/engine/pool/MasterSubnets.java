package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import java.util.List;

/// Which subnets the interface of the node is in that carries an interface of a pod. With SR-IOV that is the physical
/// function, and a network may ask for addresses of its subnets only.
public sealed interface MasterSubnets {

    /// Addresses of any subnet will do.
    record NotAsked() implements MasterSubnets {}

    /// Pools of the subnets of these addresses will do.
    ///
    /// @param master the interface of the node
    record Known(String master, List<Address> addresses) implements MasterSubnets {
        public Known {
            addresses = List.copyOf(addresses);
        }
    }

    /// They could not be found out, so no pool will do.
    record Unknown(String fault) implements MasterSubnets {}
}
