package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.IpPool;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A request for the addresses of one interface.
///
/// @param owner as it is unless the configuration of the cluster says otherwise
/// @param attributes of the pod, beside those of the owner
/// @param namespaceLabels of the pod's namespace
/// @param maxBlocksPerHost how many blocks the host may have in a family; zero for the cluster's limit
/// @param earlier decisions about this request whose commits were not answered
public record AttachRequest(
        AddressOwner owner,
        String host,
        Wanted wanted,
        SortedMap<String, String> attributes,
        SortedMap<String, String> namespaceLabels,
        int maxBlocksPerHost,
        Instant now,
        List<Decision<BlockChange, AttachResult>> earlier) {

    public AttachRequest {
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
        namespaceLabels = Collections.unmodifiableSortedMap(new TreeMap<>(namespaceLabels));
        earlier = List.copyOf(earlier);
    }

    /// The same request, asked again.
    ///
    /// @param lost earlier decisions about it whose commits were not answered
    public AttachRequest after(List<Decision<BlockChange, AttachResult>> lost) {
        return new AttachRequest(owner, host, wanted, attributes, namespaceLabels, maxBlocksPerHost, now, lost);
    }

    /// The addresses that the interface is to have.
    public sealed interface Wanted {

        /// This one.
        record One(Address address) implements Wanted {}

        /// One of each family, from the named pools or from any.
        record Any(List<Family> families, List<PoolReference> ipv4Pools, List<PoolReference> ipv6Pools)
                implements Wanted {
            public Any {
                families = List.copyOf(families);
                ipv4Pools = List.copyOf(ipv4Pools);
                ipv6Pools = List.copyOf(ipv6Pools);
            }

            List<PoolReference> pools(Family family) {
                return switch (family) {
                    case IPV4 -> ipv4Pools;
                    case IPV6 -> ipv6Pools;
                };
            }
        }
    }

    /// A pool that a configuration names.
    public sealed interface PoolReference {

        /// By its prefix, which need not be a pool's.
        record OfPrefix(Prefix cidr) implements PoolReference {}

        /// By its name.
        ///
        /// @param unknown the refusal if no pool has the name, in the words of Calico
        record Named(String name, String unknown) implements PoolReference {

            Optional<Prefix> find(List<IpPool> pools) {
                return pools.stream()
                        .filter(pool -> pool.name().equals(name))
                        .findFirst()
                        .map(IpPool::cidr);
            }
        }
    }
}
