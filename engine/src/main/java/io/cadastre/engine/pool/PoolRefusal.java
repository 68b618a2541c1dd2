package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import java.util.List;

/// Why a request was not served. Nothing was changed.
public sealed interface PoolRefusal {

    /// A sentence without a full stop, in upstream's words where upstream has any.
    String sentence();

    /// No pool has an address that a pod has.
    record InNoPool(Address address) implements PoolRefusal {
        @Override
        public String sentence() {
            return "no SpiderIPPool has %s".formatted(address);
        }
    }

    /// A pool that has the address cannot be read as far as it must be.
    record Unusable(String pool, String damage) implements PoolRefusal {
        @Override
        public String sentence() {
            return "SpiderIPPool %s cannot be used: %s".formatted(pool, damage);
        }
    }

    /// Another pod has an address that this one has too.
    record HeldByAnother(Address address, String pod) implements PoolRefusal {
        @Override
        public String sentence() {
            return "pod %s has %s".formatted(pod, address);
        }
    }

    record DeadPod(PodKey key) implements PoolRefusal {
        @Override
        public String sentence() {
            return "dead Pod %s, we cannot allocate IP addresees to it".formatted(key);
        }
    }

    /// Upstream never sees one. Records are distinguished by the uid.
    record NoUid(PodKey key) implements PoolRefusal {
        @Override
        public String sentence() {
            return "Pod %s has no UID, so that nobody could tell whose its addresses are".formatted(key);
        }
    }

    record NoEndpoint(PodKey key) implements PoolRefusal {
        @Override
        public String sentence() {
            return "failed to get SpiderEndpoint '%s', error: SpiderEndpoint.spiderpool.spidernet.io \"%s\" not found"
                    .formatted(key, key.name());
        }
    }

    record OtherUid(String recorded, String given) implements PoolRefusal {
        @Override
        public String sentence() {
            return "the SpiderEndpoint recorded PodUID '%s' is unmacthed with the given PodUID '%s'"
                    .formatted(recorded, given);
        }
    }

    /// A pool cannot be read as far as it must be.
    record Damaged(PoolFault fault) implements PoolRefusal {
        @Override
        public String sentence() {
            return "failed to release IP addresses from IPPool %s: %s".formatted(fault.pool(), fault.sentence());
        }
    }

    /// A fault that comes up while pools are chosen and addresses taken.
    sealed interface InStandardMode extends PoolRefusal {

        String detail();

        @Override
        default String sentence() {
            return "failed to allocate IP addresses in standard mode: " + detail();
        }
    }

    record Malformed(String detail) implements InStandardMode {}

    record SubnetsUnsupported(String annotation) implements InStandardMode {
        @Override
        public String detail() {
            return "Pod annotation '%s' asks for an IPPool made of a SpiderSubnet, which is not supported here: name IPPools by 'ipam.spidernet.io/ippool' or 'ipam.spidernet.io/ippools'"
                    .formatted(annotation);
        }
    }

    /// The list of interfaces breaks a rule.
    record WrongNics(String detailOfList) implements InStandardMode {
        @Override
        public String detail() {
            return "wrong input, invalid format of Pod annotation 'ipam.spidernet.io/ippools': " + detailOfList;
        }
    }

    /// More interfaces are asked for than the list has items.
    record NoNicLeft(String nic, int items) implements InStandardMode {
        @Override
        public String detail() {
            return "wrong input, Pod annotation 'ipam.spidernet.io/ippools' has %d items without an interface, and none of them is left for NIC %s"
                    .formatted(items, nic);
        }
    }

    record NoRules() implements InStandardMode {
        @Override
        public String detail() {
            return "no IPPool available, no pool selection rules of any type are specified";
        }
    }

    /// The rule that counts names no pool of a family that is given.
    record NothingNamed(String source, String nic) implements InStandardMode {
        @Override
        public String detail() {
            return "no IPPool available, %s names none for NIC %s".formatted(source, nic);
        }
    }

    record MalformedPattern(Family family, String pattern) implements InStandardMode {
        @Override
        public String detail() {
            return "failed to match wildcard: IPv%d PoolName pattern '%s': syntax error in pattern"
                    .formatted(IpText.version(family), pattern);
        }
    }

    record DuplicatePool(String pool, String nic) implements InStandardMode {
        @Override
        public String detail() {
            return "wrong input, duplicate IPPool %s specified for NIC %s".formatted(pool, nic);
        }
    }

    record UnknownPool(String pool) implements InStandardMode {
        @Override
        public String detail() {
            return "failed to get original IPPool %s: SpiderIPPool.spiderpool.spidernet.io \"%s\" not found"
                    .formatted(pool, pool);
        }
    }

    /// No pool of a family fits the pod.
    record FilteredOut(Family family, String nic, List<String> pools, List<PoolFault> faults)
            implements InStandardMode {
        public FilteredOut {
            pools = List.copyOf(pools);
            faults = List.copyOf(faults);
        }

        @Override
        public String detail() {
            return "no IPPool available, all IPv%d IPPools [%s] of %s filtered out: %s"
                    .formatted(IpText.version(family), String.join(" ", pools), nic, PoolFault.join(faults));
        }
    }

    /// No pool that fits the pod has an address left.
    record UsedOut(Family family, String nic, List<String> pools, List<PoolFault> faults) implements InStandardMode {
        public UsedOut {
            pools = List.copyOf(pools);
            faults = List.copyOf(faults);
        }

        @Override
        public String detail() {
            return "failed to allocate any IPv%d IP address to NIC %s from IPPools [%s]: %s"
                    .formatted(IpText.version(family), nic, String.join(" ", pools), PoolFault.join(faults));
        }
    }
}
