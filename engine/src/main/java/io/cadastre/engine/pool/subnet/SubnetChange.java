package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import io.cadastre.engine.pool.PoolSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// One write that this law asks for. Each writes one document, and of it either the status or all the rest.
public sealed interface SubnetChange extends Change {

    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    /// Notes in a subnet what a pool has of it, or is going to have. Rivals conflict at the subnet.
    record PreAllocate(String subnet, String pool, PreAllocation allocation) implements SubnetChange {
        @Override
        public String sentence() {
            return "pre-allocate %s of SpiderSubnet %s to pool %s"
                    .formatted(allocation.addresses().empty() ? "no address" : allocation.addresses(), subnet, pool);
        }
    }

    /// Notes what all pools of a subnet have, and counts it.
    record SetPreAllocations(String subnet, SortedMap<String, PreAllocation> all) implements SubnetChange {

        public SetPreAllocations {
            all = Collections.unmodifiableSortedMap(new TreeMap<>(all));
        }

        @Override
        public String sentence() {
            return "note in SpiderSubnet %s what its pools have: %s"
                    .formatted(subnet, all.isEmpty() ? "there are none" : String.join(", ", all.keySet()));
        }
    }

    /// Gives a subnet the label by which its pools find it.
    record LabelSubnet(String subnet) implements SubnetChange {
        @Override
        public String sentence() {
            return "label SpiderSubnet " + subnet;
        }
    }

    /// Makes a pool for an application.
    ///
    /// @param number how many addresses were asked for, as it is written
    record CreatePool(String pool, PoolSpec spec, String subnet, ApplicationPool purpose, String number)
            implements SubnetChange {
        @Override
        public String sentence() {
            return "create pool %s for %s".formatted(pool, purpose.application());
        }
    }

    /// Gives a pool other addresses, and has it belong to this application of its name.
    ///
    /// @param number how many addresses were asked for, as it is written
    record AdaptPool(String pool, RangeSet addresses, ApplicationPool purpose, String number) implements SubnetChange {
        @Override
        public String sentence() {
            return "adapt pool %s to %s".formatted(pool, purpose.application());
        }
    }

    /// Has a subnet control a pool.
    ///
    /// @param spec that of the pool, with what it inherits
    record AdoptPool(String pool, String subnet, PoolSpec spec) implements SubnetChange {
        @Override
        public String sentence() {
            return "have SpiderSubnet %s control pool %s".formatted(subnet, pool);
        }
    }

    /// Deletes a pool. One with addresses in use goes with the last of them.
    record DeletePool(String pool) implements SubnetChange {
        @Override
        public String sentence() {
            return "delete pool " + pool;
        }
    }

    /// Removes a subnet whose deletion has begun and of which no pool has anything any more.
    record DropSubnet(String subnet) implements SubnetChange {
        @Override
        public String sentence() {
            return "remove SpiderSubnet %s, whose deletion has begun".formatted(subnet);
        }
    }
}
