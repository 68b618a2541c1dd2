package io.cadastre.engine.pool.select;

import io.cadastre.address.Family;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.IpText;
import io.cadastre.engine.pool.LabelSelector;
import io.cadastre.engine.pool.MasterSubnets;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Networks.First;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolFault;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolReason;
import io.cadastre.engine.pool.PoolReason.AffinityUnmatched;
import io.cadastre.engine.pool.PoolReason.NameUnlisted;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Whether a pool fits a pod. The first rule that it does not pass decides.
///
/// @param nic the interface, or its number where it has no name
public record PoolFilter(PoolAllocateRequest request, Family family, String nic) {

    /// What the interface that a pod begins with is called, or numbered.
    private static final List<String> FIRST_NICS = List.of("eth0", "0");

    private static final String LABELS = "ipam.spidernet.io/";

    /// Why the pool does not fit; empty if it does.
    public Optional<PoolFault> fault(AddressPool pool) {
        if (pool.terminating()) {
            return fault(pool, Rule.TERMINATING, "terminating IPPool %s");
        }
        if (pool.disabled()) {
            return fault(pool, Rule.DISABLED, "disabled IPPool %s");
        }
        if (pool.family() != family) {
            return Optional.of(new PoolFault(
                    pool.name(),
                    Rule.FAMILY,
                    "expect an IPv%d IPPool, but the version of the IPPool %s is IPv%d"
                            .formatted(IpText.version(family), pool.name(), IpText.version(pool.family()))));
        }
        return place(pool).or(() -> podAndNetwork(pool));
    }

    private Optional<PoolFault> place(AddressPool pool) {
        var affinity = pool.spec().affinity();
        var pod = request.pod();
        if (!affinity.nodeNames().isEmpty()) {
            if (!affinity.nodeNames().contains(pod.node())) {
                return fault(pool, Rule.NODE_NAME, "unmatched Node name of IPPool %s");
            }
        } else if (excludes(affinity.nodes(), pod.labels().node())) {
            return fault(pool, Rule.NODE_AFFINITY, "unmatched Node affinity of IPPool %s");
        }
        if (!affinity.namespaceNames().isEmpty()) {
            if (!affinity.namespaceNames().contains(pod.key().namespace())) {
                return fault(pool, Rule.NAMESPACE_NAME, "unmatched Namespace name of IPPool %s");
            }
        } else if (excludes(affinity.namespaces(), pod.labels().namespace())) {
            return fault(pool, Rule.NAMESPACE_AFFINITY, "unmatched Namespace affinity of IPPool %s");
        }
        return Optional.empty();
    }

    /// Why the pool was passed over, with the selector that failed and what it was compared with.
    public PoolReason reason(AddressPool pool, PoolFault fault) {
        var affinity = pool.spec().affinity();
        var pod = request.pod();
        return switch (fault.rule()) {
            case NODE_NAME -> new NameUnlisted(pool.name(), "nodeName", affinity.nodeNames(), pod.node());
            case NAMESPACE_NAME ->
                new NameUnlisted(
                        pool.name(),
                        "namespaceName",
                        affinity.namespaceNames(),
                        pod.key().namespace());
            case NODE_AFFINITY ->
                AffinityUnmatched.of(
                        pool,
                        "nodeAffinity",
                        affinity.nodes(),
                        "node " + pod.node(),
                        pod.labels().node());
            case NAMESPACE_AFFINITY ->
                AffinityUnmatched.of(
                        pool,
                        "namespaceAffinity",
                        affinity.namespaces(),
                        "namespace " + pod.key().namespace(),
                        pod.labels().namespace());
            case POD_AFFINITY ->
                AffinityUnmatched.of(
                        pool,
                        "podAffinity",
                        affinity.pods(),
                        "pod " + pod.key(),
                        switch (pool.origin()) {
                            case MADE_FOR_APPLICATION -> applicationLabels();
                            case MADE_BY_HAND -> pod.labels().pod();
                        });
            case TERMINATING, DISABLED, FAMILY, NETWORK, MASTER_SUBNET, DAMAGED, OTHER_NIC, USED_OUT, RECORDS_MAX ->
                fault;
        };
    }

    private static boolean excludes(Optional<LabelSelector> selector, SortedMap<String, String> labels) {
        return selector.isPresent() && !selector.get().fits(labels);
    }

    private Optional<PoolFault> podAndNetwork(AddressPool pool) {
        var pods = pool.spec().affinity().pods();
        return switch (pool.origin()) {
            case MADE_FOR_APPLICATION ->
                excludes(pods, applicationLabels())
                        ? fault(pool, Rule.POD_AFFINITY, "unmatched Pod annifity of auto-created IPool %s")
                        // It was made for this pod's application: nothing more is asked.
                        : Optional.empty();
            case MADE_BY_HAND ->
                excludes(pods, request.pod().labels().pod())
                        ? fault(pool, Rule.POD_AFFINITY, "unmatched Pod affinity of IPPool %s")
                        : network(pool);
        };
    }

    /// The labels that bind a pool to an application. No pod has them; they stand for what it belongs to.
    private SortedMap<String, String> applicationLabels() {
        var controller = request.pod().controller();
        var labels = new TreeMap<String, String>();
        labels.put(LABELS + "app-api-group", controller.group());
        labels.put(LABELS + "app-api-version", controller.version());
        labels.put(LABELS + "app-kind", controller.kind());
        labels.put(LABELS + "app-namespace", request.pod().key().namespace());
        labels.put(LABELS + "app-name", controller.name());
        return labels;
    }

    /// The network of an interface is looked up only if a pool asks for it: upstream always does so,
    /// and then refuses pods of clusters that have no such networks.
    private Optional<PoolFault> network(AddressPool pool) {
        var wanted = pool.spec().affinity().networks();
        if (wanted.isEmpty()) {
            return masterSubnet(pool);
        }
        if (FIRST_NICS.contains(nic)) {
            return switch (request.networks().first()) {
                case First.Named(var first) -> compare(pool, wanted, first);
                case First.Unnamed _ ->
                    networkFault(
                            pool,
                            "cluster-network multus isn't set, the IPPool %s specified multusName [%s] unmatched"
                                    .formatted(pool.name(), String.join(" ", wanted)));
                case Further.Unreadable(var fault) -> unreadable(pool, fault);
            };
        }
        return switch (request.networks().further()) {
            case Further.Unreadable(var fault) -> unreadable(pool, fault);
            case Further.Listed(var networks) ->
                find(networks)
                        .map(found -> compare(pool, wanted, found))
                        .orElseGet(() -> networkFault(
                                pool,
                                "unknown: no matched multus object for NIC '%s'. The Pod names %s"
                                        .formatted(
                                                nic,
                                                networks.stream()
                                                        .map(Networks.Network::name)
                                                        .toList())));
        };
    }

    /// The network of the interface, which is known by its name or its number. The second interface is the
    /// first of the list, and is called net1 unless the list says otherwise.
    private Optional<String> find(List<Networks.Network> networks) {
        return IntStream.range(0, networks.size())
                .filter(index -> {
                    var name = networks.get(index).nic();
                    int number = index + 1;
                    return nic.equals(name.isEmpty() ? "net" + number : name) || nic.equals(Integer.toString(number));
                })
                .mapToObj(index -> networks.get(index).name())
                .findFirst();
    }

    private Optional<PoolFault> compare(AddressPool pool, List<String> wanted, String found) {
        boolean fits = wanted.stream()
                .map(name -> name.indexOf('/') < 0 ? request.networks().home() + "/" + name : name)
                .anyMatch(found::equals);
        return fits
                ? Optional.empty()
                : networkFault(
                        pool,
                        "the spec.multusName [%s] in the IPPool %s used by the Pod interface %s is not matched with the multusCR %s specified by the Pod"
                                .formatted(String.join(" ", wanted), pool.name(), nic, found));
    }

    /// Asked of the interface of the request alone: the others of the pod may not be there yet, and their networks are
    /// not known.
    private Optional<PoolFault> masterSubnet(AddressPool pool) {
        boolean requested = nic.equals(request.nic()) || FIRST_NICS.containsAll(List.of(nic, request.nic()));
        return requested
                ? switch (request.masterSubnets()) {
                    case MasterSubnets.NotAsked _ -> Optional.empty();
                    case MasterSubnets.Unknown(var fault) -> masterFault(pool, fault);
                    case MasterSubnets.Known(var master, var addresses) ->
                        addresses.stream().anyMatch(pool.spec().subnet()::contains)
                                ? Optional.empty()
                                : masterFault(
                                        pool,
                                        "the ippool's subnet \"%s\" not found on pod's PF \"%s\""
                                                .formatted(pool.spec().subnet(), master));
                }
                : Optional.empty();
    }

    private static Optional<PoolFault> masterFault(AddressPool pool, String words) {
        return Optional.of(new PoolFault(pool.name(), Rule.MASTER_SUBNET, "filterPoolCandidatesByPfSubnet: " + words));
    }

    private static Optional<PoolFault> unreadable(AddressPool pool, String fault) {
        return networkFault(pool, "failed to parse pod network annotation: " + fault);
    }

    private static Optional<PoolFault> networkFault(AddressPool pool, String sentence) {
        return Optional.of(new PoolFault(pool.name(), Rule.NETWORK, sentence));
    }

    private static Optional<PoolFault> fault(AddressPool pool, Rule rule, String words) {
        return Optional.of(new PoolFault(pool.name(), rule, words.formatted(pool.name())));
    }
}
