package io.cadastre.wire.calico.endpoint;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A workload's interface as all components that enforce policy know it.
///
/// @param network the CNI network that it was attached to; empty if another program wrote it
public record CalicoEndpoint(
        String namespace,
        EndpointName name,
        SortedMap<String, String> labels,
        String network,
        Holder holder,
        Wire wire,
        Rules rules) {

    public CalicoEndpoint {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /// The workload that is attached.
    ///
    /// @param pod empty for a container that belongs to no pod
    /// @param containerId empty if the program that wrote it does not record it
    public record Holder(String pod, String containerId, String serviceAccount) {}

    /// What it is attached by.
    ///
    /// @param hostLink the host's end of the link
    /// @param mac of the workload's end
    public record Wire(String hostLink, String mac, List<Address> addresses, List<Nat> nats) {

        public Wire {
            addresses = List.copyOf(addresses);
            nats = List.copyOf(nats);
        }
    }

    /// By which address it is reached from outside.
    public record Nat(Address internal, Address external) {}

    /// What it may do.
    public record Rules(List<String> profiles, List<Port> ports, List<Prefix> allowedSources) {

        public Rules {
            profiles = List.copyOf(profiles);
            ports = List.copyOf(ports);
            allowedSources = List.copyOf(allowedSources);
        }
    }

    /// A port that has a name, or a port of the host.
    ///
    /// @param protocol `TCP`, `UDP` or `SCTP`
    /// @param hostPort zero for none
    public record Port(String name, String protocol, int port, int hostPort, String hostIp) {}

    /// The same with one more profile, unless it has it.
    public CalicoEndpoint withProfile(String profile) {
        if (rules.profiles().contains(profile)) {
            return this;
        }
        var more = new ArrayList<>(rules.profiles());
        more.add(profile);
        return new CalicoEndpoint(
                namespace, name, labels, network, holder, wire, new Rules(more, rules.ports(), rules.allowedSources()));
    }

    /// Whether it is this container's, or its container is not recorded.
    public boolean isOf(String containerId) {
        return holder.containerId().isEmpty() || holder.containerId().equals(containerId);
    }
}
