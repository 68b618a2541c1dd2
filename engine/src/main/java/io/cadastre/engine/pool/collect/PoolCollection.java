package io.cadastre.engine.pool.collect;

import io.cadastre.address.Address;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolRefusal;
import java.util.List;

/// What collection came to.
public sealed interface PoolCollection {

    /// Something was taken back.
    ///
    /// @param addresses those whose records were removed
    /// @param endpoints those that were deleted
    record Collected(List<Address> addresses, List<PodKey> endpoints) implements PoolCollection {
        public Collected {
            addresses = List.copyOf(addresses);
            endpoints = List.copyOf(endpoints);
        }
    }

    /// Nothing was changed, and that is right.
    record Left(List<CollectRule> rules) implements PoolCollection {
        public Left {
            rules = List.copyOf(rules);
        }
    }

    /// Something ought to have been taken back and could not.
    record Prevented(PoolRefusal refusal) implements PoolCollection {}
}
