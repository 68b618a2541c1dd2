package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Family;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The subnets of which the pods of an application are to have addresses, by the annotations of its pods.
public sealed interface RequestedSubnets {

    /// No annotation names any.
    record None() implements RequestedSubnets {}

    /// What is asked for.
    record Asked(List<Item> items, AddressNumber number, ReclaimPolicy reclaim) implements RequestedSubnets {
        public Asked {
            items = List.copyOf(items);
        }

        /// What is asked for one interface.
        public Optional<Item> find(String nic) {
            return items.stream().filter(item -> item.nic().equals(nic)).findFirst();
        }
    }

    /// Annotations that cannot be read.
    record Broken(String sentence) implements RequestedSubnets {}

    /// The subnets of one interface.
    ///
    /// @param subnets one name for each family that is asked for
    record Item(String nic, SortedMap<Family, String> subnets) {
        public Item {
            subnets = Collections.unmodifiableSortedMap(new TreeMap<>(subnets));
        }
    }
}
