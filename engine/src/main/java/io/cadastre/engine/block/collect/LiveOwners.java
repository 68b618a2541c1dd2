package io.cadastre.engine.block.collect;

import io.cadastre.address.Address;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which owners are alive, as far as was looked up.
///
/// @param kubernetesNodes the names of the nodes there are
/// @param pods the pods there are
/// @param unknownPods pods that could not be looked up; they count as alive
/// @param migratingNodes nodes whose blocks are being filled by a migration and are not given up
/// @param endpointAddresses the addresses of endpoints that are recorded on nodes that live. They are in use,
///     whatever the pods say: an endpoint is forgotten when its interface goes.
public record LiveOwners(
        SortedSet<String> kubernetesNodes,
        Map<Name, Pod> pods,
        SortedSet<Name> unknownPods,
        Machines machines,
        SortedSet<String> migratingNodes,
        Set<Address> endpointAddresses) {

    /// One without endpoints of its own.
    public LiveOwners(
            SortedSet<String> kubernetesNodes,
            Map<Name, Pod> pods,
            SortedSet<Name> unknownPods,
            Machines machines,
            SortedSet<String> migratingNodes) {
        this(kubernetesNodes, pods, unknownPods, machines, migratingNodes, Collections.emptySortedSet());
    }

    /// What something is called.
    public record Name(String namespace, String name) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int order = namespace.compareTo(other.namespace);
            return order == 0 ? name.compareTo(other.name) : order;
        }
    }

    /// A pod, as far as its addresses depend on it.
    ///
    /// @param node where it runs; empty if that is not known
    /// @param statusAddresses what it reports; nothing if it has none yet
    /// @param endpointAddresses all its addresses, also in extra networks
    public record Pod(String node, Phase phase, List<Address> statusAddresses, List<Address> endpointAddresses) {

        public Pod {
            statusAddresses = List.copyOf(statusAddresses);
            endpointAddresses = List.copyOf(endpointAddresses);
        }
    }

    public enum Phase {
        RUNNING,
        /// It failed because it was evicted, and does not come back.
        EVICTED
    }

    /// Virtual machines.
    public sealed interface Machines {

        /// Virtual machines are not looked up here.
        record None() implements Machines {}

        /// There are these.
        ///
        /// @param machines virtual machines
        /// @param loneInstances running instances that belong to no virtual machine
        record Known(SortedSet<Name> machines, SortedSet<Name> loneInstances) implements Machines {
            public Known {
                machines = Collections.unmodifiableSortedSet(new TreeSet<>(machines));
                loneInstances = Collections.unmodifiableSortedSet(new TreeSet<>(loneInstances));
            }
        }

        default boolean alive(Name instance) {
            return switch (this) {
                case None _ -> true;
                case Known(var machines, var loneInstances) ->
                    machines.contains(instance) || loneInstances.contains(instance);
            };
        }
    }

    public LiveOwners {
        kubernetesNodes = Collections.unmodifiableSortedSet(new TreeSet<>(kubernetesNodes));
        pods = Collections.unmodifiableMap(new LinkedHashMap<>(pods));
        unknownPods = Collections.unmodifiableSortedSet(new TreeSet<>(unknownPods));
        migratingNodes = Collections.unmodifiableSortedSet(new TreeSet<>(migratingNodes));
        endpointAddresses = Collections.unmodifiableSet(new LinkedHashSet<>(endpointAddresses));
    }
}
