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

    /// Records in a pool which pod has an address of it. Rivals conflict at the pool.
    ///
    /// @param place where the pod has it, which the pool does not record
    record Take(String pool, Address address, PoolRecord record, NicPlace place) implements PoolChange {
        @Override
        public String sentence() {
            return "give %s of pool %s to pod %s".formatted(address, pool, record.pod());
        }

        @Override
        public List<Holding> granted() {
            return List.of(PoolHoldings.of(address, record, place));
        }
    }

    /// Leaves such a record as it is, and rewrites the pool on condition that the record is still
    /// there. A record that another process wrote must not be reported while it is being taken back.
    record Confirm(String pool, Address address, PoolRecord record) implements PoolChange {
        @Override
        public String sentence() {
            return "confirm that pod %s has %s of pool %s".formatted(record.pod(), address, pool);
        }
    }

    /// Rewrites a pool as it is, so that a write that was not answered and has not arrived meets another revision.
    record Bar(String pool) implements PoolChange {
        @Override
        public String sentence() {
            return "rewrite pool %s as it is: an attempt that was not answered must take nothing of it any more"
                    .formatted(pool);
        }
    }

    /// Removes such a record.
    ///
    /// @param place where the pod had it
    record Free(String pool, Address address, PoolRecord record, NicPlace place) implements PoolChange {
        @Override
        public String sentence() {
            return "take %s back from pod %s into pool %s".formatted(address, record.pod(), pool);
        }

        @Override
        public List<Holding> returned() {
            return List.of(PoolHoldings.of(address, record, place));
        }
    }

    /// Removes a pool whose deletion had begun and in which no address is assigned any more.
    record DropPool(String pool) implements PoolChange {
        @Override
        public String sentence() {
            return "remove pool %s, whose deletion has begun".formatted(pool);
        }
    }

    /// Writes what a pod has. It replaces what another pod of that name had.
    record PutEndpoint(PodEndpoint endpoint) implements PoolChange {
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
