package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Optional;

/// The configuration of calico-ipam for a network and a pod. How to reach a datastore is not read: the
/// process that answers the call knows.
///
/// @param ipv4Pools prefixes or names of pools
/// @param ipv6Pools prefixes or names of pools
/// @param nodename empty if not written, as are its file and the host name
/// @param asksKubernetes whether Kubernetes is to be asked about the pod's namespace
/// @param arguments of the keys in `CNI_ARGS` those that Calico knows
public record CalicoIpamConfig(
        String network,
        boolean assignIpv4,
        boolean assignIpv6,
        List<String> ipv4Pools,
        List<String> ipv6Pools,
        String nodename,
        String nodenameFile,
        String hostname,
        String lockFile,
        String logLevel,
        boolean singleBlockPerHost,
        boolean asksKubernetes,
        CniArguments arguments) {

    public static final String LOCK_FILE = "/var/run/calico/ipam.lock";

    private static final String LOG_LEVEL = "info";
    private static final String DEFAULT_NAMESPACE = "default";
    private static final String POD = "K8S_POD_NAME";
    private static final String NAMESPACE = "K8S_POD_NAMESPACE";

    private static final CniArguments.Key IP = new CniArguments.Key("IP", CniArguments.Kind.ADDRESS);

    private static final List<CniArguments.Key> KEYS = List.of(
            IP,
            new CniArguments.Key(POD, CniArguments.Kind.TEXT),
            new CniArguments.Key(NAMESPACE, CniArguments.Kind.TEXT),
            new CniArguments.Key("K8S_POD_INFRA_CONTAINER_ID", CniArguments.Kind.TEXT));

    /// The system that set the pod up, which decides by what name it is known.
    public enum Orchestrator {
        K8S,
        CNI
    }

    public CalicoIpamConfig {
        ipv4Pools = List.copyOf(ipv4Pools);
        ipv6Pools = List.copyOf(ipv6Pools);
    }

    /// Reads the settings of the network and the pod.
    ///
    /// @param args the text of `CNI_ARGS`
    /// @throws CniException if anything in it is unreadable
    public static CalicoIpamConfig read(NetworkConfig config, String args) {
        try {
            return read(config).withArguments(args);
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "");
        }
    }

    private static CalicoIpamConfig read(NetworkConfig config) {
        try {
            var members = config.members();
            var ipam = config.ipam().orElseGet(() -> Members.of(Json.emptyObject()));
            var lockFile = members.text("ipam_lock_file");
            var logLevel = members.text("log_level");
            return new CalicoIpamConfig(
                    config.name(),
                    // Calico compares with these very words, and takes anything else for the
                    // default.
                    !ipam.text("assign_ipv4").equals("false"),
                    ipam.text("assign_ipv6").equals("true"),
                    ipam.texts("ipv4_pools"),
                    ipam.texts("ipv6_pools"),
                    members.text("nodename"),
                    members.text("nodename_file"),
                    members.text("hostname"),
                    lockFile.isEmpty() ? LOCK_FILE : lockFile,
                    logLevel.isEmpty() ? LOG_LEVEL : logLevel,
                    members.flag("windows_use_single_network"),
                    asksKubernetes(members),
                    CniArguments.parse("", KEYS));
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "failed to load netconf: ");
        }
    }

    private static boolean asksKubernetes(Members members) {
        return members.object("policy")
                        .filter(policy -> policy.text("type").equals("k8s"))
                        .isPresent()
                || members.object("kubernetes")
                        .filter(access -> !access.text("kubeconfig").isEmpty())
                        .isPresent();
    }

    /// Calico parses the text twice, and the second time knows the address only. So the keys that
    /// Kubernetes adds are an error without `IgnoreUnknown`.
    private CalicoIpamConfig withArguments(String args) {
        var read = CniArguments.parse(args, KEYS);
        CniArguments.parse(args, List.of(IP));
        return new CalicoIpamConfig(
                network,
                assignIpv4,
                assignIpv6,
                ipv4Pools,
                ipv6Pools,
                nodename,
                nodenameFile,
                hostname,
                lockFile,
                logLevel,
                singleBlockPerHost,
                asksKubernetes,
                read);
    }

    /// The one address that is asked for. The other family is then not assigned.
    public Optional<Address> requested() {
        return arguments.address(IP.name());
    }

    public Orchestrator orchestrator() {
        return arguments.text(POD).isEmpty() || arguments.text(NAMESPACE).isEmpty()
                ? Orchestrator.CNI
                : Orchestrator.K8S;
    }

    /// The name of the pod, empty outside of Kubernetes.
    public String pod() {
        return orchestrator() == Orchestrator.K8S ? arguments.text(POD) : "";
    }

    public String namespace() {
        return orchestrator() == Orchestrator.K8S ? arguments.text(NAMESPACE) : DEFAULT_NAMESPACE;
    }
}
