package io.cadastre.engine.pool;

import io.cadastre.engine.pool.Nic.GatewayUse;
import java.util.List;

/// What one source says about the pools for a pod.
public sealed interface PoolPreference {

    /// Nothing.
    record Silent() implements PoolPreference {}

    /// Pools for whichever interface is asked for.
    record Single(PoolNames names) implements PoolPreference {}

    /// Pools for all interfaces at once.
    record Several(List<Item> items) implements PoolPreference {
        public Several {
            items = List.copyOf(items);
        }
    }

    /// A pool that is made of a subnet, and that was not looked for.
    record OfSubnet(String annotation) implements PoolPreference {}

    /// Something that cannot be read.
    record Broken(String sentence) implements PoolPreference {}

    /// Pools for one interface.
    ///
    /// @param nic its name; empty if it is known by its place in the list
    record Item(String nic, PoolNames names, GatewayUse gatewayUse) {}
}
