package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;

import java.util.List;

/// One write that this law asks for.
public sealed interface PoolChange extends Change {

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    /// Records in a pool who has an address of it. Rivals meet at the pool.
    ///
    /// @param place where the pod has it, which the pool does not record
    record Take(String pool, Address address, Tenancy tenancy, NicPlace place)
            implements PoolChange {
        @Override
        public String sentence() {
            return "give %s of pool %s to pod %s".formatted(address, pool, tenancy.pod());
        }

        @Override
        public List<Holding> granted() {
            return List.of(PoolHoldings.of(address, tenancy, place));
        }
    }

    /// Leaves such a record as it is, and rewrites the pool on condition that it is there still. Whoever tells
    /// of a record that somebody else wrote must not do so while it is taken back.
    record Confirm(String pool, Address address, Tenancy tenancy) implements PoolChange {
        @Override
        public String sentence() {
            return "confirm that pod %s has %s of pool %s".formatted(tenancy.pod(), address, pool);
        }
    }

    /// Removes such a record.
    ///
    /// @param place where the pod had it
    record Free(String pool, Address address, Tenancy tenancy, NicPlace place)
            implements PoolChange {
        @Override
        public String sentence() {
            return "take %s back from pod %s into pool %s".formatted(address, tenancy.pod(), pool);
        }

        @Override
        public List<Holding> returned() {
            return List.of(PoolHoldings.of(address, tenancy, place));
        }
    }

    /// Removes a pool whose deletion had begun and in which nobody has anything any more.
    record DropPool(String pool) implements PoolChange {
        @Override
        public String sentence() {
            return "remove pool %s, whose deletion has begun".formatted(pool);
        }
    }

    /// Writes what a pod has. What another pod of that name had is no longer told.
    record PutEndpoint(Endpoint endpoint) implements PoolChange {
        @Override
        public String sentence() {
            return "write the endpoint of pod " + endpoint.key();
        }
    }

    record DropEndpoint(PodKey key) implements PoolChange {
        @Override
        public String sentence() {
            return "remove the endpoint of pod " + key;
        }
    }
}
