package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import java.util.List;

/// Why a request was not served. Nothing was changed.
public sealed interface PoolRefusal {

    /// A sentence without a full stop, in upstream's words where upstream has any.
    default String sentence() {
        return switch (this) {
            case InNoPool(var address) -> "no SpiderIPPool has %s".formatted(address);
            case Unusable(var pool, var damage) -> "SpiderIPPool %s cannot be used: %s".formatted(pool, damage);
            case HeldByAnother(var address, var pod) -> "pod %s has %s".formatted(pod, address);
            case DeadPod(var key) -> "dead Pod %s, we cannot allocate IP addresees to it".formatted(key);
            case NoUid(var key) ->
                "Pod %s has no UID; without one its addresses cannot be distinguished from those of another pod of its name"
                        .formatted(key);
            case NoEndpoint(var key) ->
                "failed to get SpiderEndpoint '%s', error: SpiderEndpoint.spiderpool.spidernet.io \"%s\" not found"
                        .formatted(key, key.name());
            case OtherUid(var recorded, var given) ->
                "the SpiderEndpoint recorded PodUID '%s' is unmacthed with the given PodUID '%s'"
                        .formatted(recorded, given);
            case Damaged(var fault) ->
                "failed to release IP addresses from IPPool %s: %s".formatted(fault.pool(), fault.sentence());
            case DataBroken(var detail) -> "failed to update allocated IP because of data broken: " + detail;
            case InStandardMode refusal -> "failed to allocate IP addresses in standard mode: " + refusal.detail();
        };
    }

    /// No pool has an address that a pod has.
    record InNoPool(Address address) implements PoolRefusal {}

    /// A pool that has the address cannot be read as far as it must be.
    record Unusable(String pool, String damage) implements PoolRefusal {}

    /// Another pod has an address that this one has too.
    record HeldByAnother(Address address, String pod) implements PoolRefusal {}

    record DeadPod(PodKey key) implements PoolRefusal {}

    /// Upstream never sees one. Records are distinguished by the uid.
    record NoUid(PodKey key) implements PoolRefusal {}

    record NoEndpoint(PodKey key) implements PoolRefusal {}

    record OtherUid(String recorded, String given) implements PoolRefusal {}

    /// A pool cannot be read as far as it must be.
    record Damaged(PoolFault fault) implements PoolRefusal {}

    /// What is recorded for a pod that keeps its addresses cannot be.
    record DataBroken(String detail) implements PoolRefusal {}

    /// A fault that comes up while pools are chosen and addresses taken.
    sealed interface InStandardMode extends PoolRefusal {

        default String detail() {
            return switch (this) {
                case Malformed(var detail) -> detail;
                case PoolOfSubnetUnknown(var annotation) ->
                    "no IPPool available, the IPPool for Pod annotation '%s' was not looked for, since the Pod had an address then; repeat the request"
                            .formatted(annotation);
                case WrongNics(var detailOfList) ->
                    "wrong input, invalid format of Pod annotation 'ipam.spidernet.io/ippools': " + detailOfList;
                case NoNicLeft(var nic, var items) ->
                    "wrong input, Pod annotation 'ipam.spidernet.io/ippools' has %d items without an interface, and none of them is left for NIC %s"
                            .formatted(items, nic);
                case NoRules _ -> "no IPPool available, no pool selection rules of any type are specified";
                case NothingNamed(var source, var nic) ->
                    "no IPPool available, %s names none for NIC %s".formatted(source, nic);
                case MalformedPattern(var family, var pattern) ->
                    "failed to match wildcard: IPv%d PoolName pattern '%s': syntax error in pattern"
                            .formatted(IpText.version(family), pattern);
                case DuplicatePool(var pool, var nic) ->
                    "wrong input, duplicate IPPool %s specified for NIC %s".formatted(pool, nic);
                case UnknownPool(var pool) ->
                    "failed to get original IPPool %s: SpiderIPPool.spiderpool.spidernet.io \"%s\" not found"
                            .formatted(pool, pool);
                case FilteredOut(var family, var nic, var pools, var faults) ->
                    "no IPPool available, all IPv%d IPPools [%s] of %s filtered out: %s"
                            .formatted(IpText.version(family), String.join(" ", pools), nic, PoolFault.join(faults));
                case UsedOut(var family, var nic, var pools, var faults) ->
                    "failed to allocate any IPv%d IP address to NIC %s from IPPools [%s]: %s"
                            .formatted(IpText.version(family), nic, String.join(" ", pools), PoolFault.join(faults));
            };
        }
    }

    record Malformed(String detail) implements InStandardMode {}

    /// A pod whose pool is to be made of a subnet has lost its endpoint.
    record PoolOfSubnetUnknown(String annotation) implements InStandardMode {}

    /// The list of interfaces breaks a rule.
    record WrongNics(String detailOfList) implements InStandardMode {}

    /// More interfaces are asked for than the list has items.
    record NoNicLeft(String nic, int items) implements InStandardMode {}

    record NoRules() implements InStandardMode {}

    /// The rule that counts names no pool of a family that is given.
    record NothingNamed(String source, String nic) implements InStandardMode {}

    record MalformedPattern(Family family, String pattern) implements InStandardMode {}

    record DuplicatePool(String pool, String nic) implements InStandardMode {}

    record UnknownPool(String pool) implements InStandardMode {}

    /// No pool of a family fits the pod.
    record FilteredOut(Family family, String nic, List<String> pools, List<PoolFault> faults)
            implements InStandardMode {
        public FilteredOut {
            pools = List.copyOf(pools);
            faults = List.copyOf(faults);
        }
    }

    /// No pool that fits the pod has an address left.
    record UsedOut(Family family, String nic, List<String> pools, List<PoolFault> faults) implements InStandardMode {
        public UsedOut {
            pools = List.copyOf(pools);
            faults = List.copyOf(faults);
        }
    }
}
