package io.cadastre.wire.calico;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.calico.CalicoKey.OfAffinity;
import io.cadastre.wire.calico.CalicoKey.OfBlock;
import io.cadastre.wire.calico.CalicoKey.OfClusterInformation;
import io.cadastre.wire.calico.CalicoKey.OfConfig;
import io.cadastre.wire.calico.CalicoKey.OfHandle;
import io.cadastre.wire.calico.CalicoKey.OfHostRecord;
import io.cadastre.wire.calico.CalicoKey.OfNode;
import io.cadastre.wire.calico.CalicoKey.OfPool;
import io.cadastre.wire.calico.CalicoKey.OfReservation;
import java.util.Optional;
import java.util.function.Function;

/// The keys of Calico's documents in etcd, and the prefixes under which they are listed.
///
/// Every prefix ends in a slash, so that host `a` never matches host `ab`. Names stand in keys as they
/// are; one with a slash would be part of another's key and is refused.
public final class CalicoKeys {

    private static final String IPAM = "/calico/ipam/v2/";
    /// What the keys of resources begin with: after it come the plural, a slash and the name.
    public static final String RESOURCES = "/calico/resources/v3/projectcalico.org/";
    private static final String BLOCK = "/block/";

    /// The key of the configuration.
    public static final String CONFIG = IPAM + "config";

    /// All blocks.
    public static final String BLOCKS = IPAM + "assignment/";

    /// All affinities of hosts, and the records of hosts.
    public static final String HOSTS = IPAM + "host/";

    /// All affinities of what is virtual.
    public static final String VIRTUALS = IPAM + "virtual/";

    public static final String HANDLES = IPAM + "handle/";

    public static final String POOLS = RESOURCES + "ippools/";

    public static final String RESERVATIONS = RESOURCES + "ipreservations/";

    public static final String NODES = RESOURCES + "nodes/";

    /// The configuration of Calico's controllers. It is not a [CalicoKey].
    public static final String CONTROLLERS = RESOURCES + "kubecontrollersconfigurations/";

    private static final String CLUSTER_INFORMATION = RESOURCES + "clusterinformations/default";

    private CalicoKeys() {}

    /// The blocks of one family.
    public static String blocks(Family family) {
        return BLOCKS + word(family) + BLOCK;
    }

    /// The affinities of one owner, of both families.
    public static String affinities(Owner owner) {
        return switch (owner.kind()) {
            case HOST -> HOSTS + owner.name() + "/";
            case VIRTUAL -> VIRTUALS + owner.name() + "/";
            case FOREIGN -> throw new IllegalArgumentException("affinities of '%s' have no known key".formatted(owner));
        };
    }

    /// The affinities of one owner and family.
    public static String affinities(Owner owner, Family family) {
        return affinities(owner) + word(family) + BLOCK;
    }

    static String text(CalicoKey key) {
        return switch (key) {
            case OfBlock(var cidr) -> blocks(cidr.family()) + Affinity.key(cidr);
            case OfAffinity(var owner, var cidr) -> affinities(owner, cidr.family()) + Affinity.key(cidr);
            case OfHandle(var id) -> HANDLES + id;
            case OfConfig _ -> CONFIG;
            case OfHostRecord(var host) -> HOSTS + host;
            case OfPool(var name) -> POOLS + name;
            case OfReservation(var name) -> RESERVATIONS + name;
            case OfNode(var name) -> NODES + name;
            case OfClusterInformation _ -> CLUSTER_INFORMATION;
        };
    }

    /// Which document the key is of; empty if of none that is known here, or if it is not spelled as
    /// [CalicoKey#text()] would.
    public static Optional<CalicoKey> parse(String key) {
        return read(key).filter(read -> read.text().equals(key));
    }

    private static Optional<CalicoKey> read(String key) {
        if (key.equals(CONFIG)) {
            return Optional.of(new OfConfig());
        }
        if (key.equals(CLUSTER_INFORMATION)) {
            return Optional.of(new OfClusterInformation());
        }
        if (key.startsWith(BLOCKS)) {
            // What follows is `ipv4/block/` and the CIDR.
            int slash = key.lastIndexOf('/');
            return cidr(key.substring(slash + 1)).map(OfBlock::new);
        }
        if (key.startsWith(HOSTS)) {
            return ofOwner(key.substring(HOSTS.length()), Owner::host).or(() -> named(key, HOSTS, OfHostRecord::new));
        }
        if (key.startsWith(VIRTUALS)) {
            return ofOwner(key.substring(VIRTUALS.length()), Owner::virtual);
        }
        return named(key, HANDLES, OfHandle::new)
                .or(() -> named(key, POOLS, OfPool::new))
                .or(() -> named(key, RESERVATIONS, OfReservation::new))
                .or(() -> named(key, NODES, OfNode::new));
    }

    /// Reads `<name>/ipv4/block/<cidr>`.
    private static Optional<CalicoKey> ofOwner(String rest, Function<String, Owner> owner) {
        int nameEnd = rest.indexOf('/');
        if (nameEnd <= 0) {
            return Optional.empty();
        }
        return cidr(rest.substring(rest.lastIndexOf('/') + 1))
                .map(cidr -> new OfAffinity(owner.apply(rest.substring(0, nameEnd)), cidr));
    }

    private static Optional<CalicoKey> named(String key, String prefix, Function<String, CalicoKey> identity) {
        if (!key.startsWith(prefix)) {
            return Optional.empty();
        }
        var name = key.substring(prefix.length());
        return name.isEmpty() || name.indexOf('/') >= 0 ? Optional.empty() : Optional.of(identity.apply(name));
    }

    /// Reads a CIDR with a dash in place of its slash.
    private static Optional<Prefix> cidr(String text) {
        int dash = text.lastIndexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(Prefix.parse(text.substring(0, dash) + "/" + text.substring(dash + 1)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String word(Family family) {
        return switch (family) {
            case IPV4 -> "ipv4";
            case IPV6 -> "ipv6";
        };
    }

    /// The name, if it can be a part of a key.
    ///
    /// @throws IllegalArgumentException if it cannot
    public static String checkName(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a name in a key is not empty and has no slash: '%s'".formatted(name));
        }
        return name;
    }
}
