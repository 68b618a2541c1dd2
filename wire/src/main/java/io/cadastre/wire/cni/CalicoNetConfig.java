package io.cadastre.wire.cni;

import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.json.Json;
import java.util.List;
import java.util.Locale;

/// The configuration of Calico's main plugin for a network and a pod. How to reach a datastore is not read:
/// the process that answers the call knows.
///
/// @param policyType `k8s` if what Kubernetes knows about the pod counts, empty if the network's name is
///     its profile
/// @param kubernetesNode the name by which Kubernetes knows the node, empty if it is the node's name
/// @param labels what Mesos says about a container, with its own name of the namespace
/// @param arguments of the keys in `CNI_ARGS` those that Calico knows
public record CalicoNetConfig(
        String network,
        NodeName node,
        LinkShape link,
        IpamChoice ipam,
        Features features,
        Waiting waiting,
        String policyType,
        String kubernetesNode,
        List<Label> labels,
        CniArguments arguments) {

    /// Where the node's name is found if the configuration does not say.
    public static final String NODENAME_FILE = "/var/lib/calico/nodename";

    /// Where the size of packets is found if the configuration does not say.
    public static final String MTU_FILE = "/var/lib/calico/mtu";

    private static final String STATUS_FOLDER = "/var/run/calico/endpoint-status";
    private static final String DEFAULT_NAMESPACE = "default";
    private static final String NAMESPACE_LABEL = "projectcalico.org/namespace";
    private static final String POD = "K8S_POD_NAME";
    private static final String NAMESPACE = "K8S_POD_NAMESPACE";
    private static final String OWN_IPAM = "cadastre-ipam";

    private static final List<CniArguments.Key> KEYS = List.of(
            new CniArguments.Key("IP", CniArguments.Kind.ADDRESS),
            new CniArguments.Key(POD, CniArguments.Kind.TEXT),
            new CniArguments.Key(NAMESPACE, CniArguments.Kind.TEXT),
            new CniArguments.Key("K8S_POD_INFRA_CONTAINER_ID", CniArguments.Kind.TEXT));

    public CalicoNetConfig {
        labels = List.copyOf(labels);
    }

    /// Where the name of the node comes from, the first first.
    ///
    /// @param name empty if it is not written
    /// @param fileOptional whether the file may be missing
    /// @param hostname the old way of writing it, empty if it is not written
    public record NodeName(String name, String file, boolean fileOptional, String hostname) {}

    /// How the link is made.
    ///
    /// @param mtu zero if it is not written
    /// @param mtuFileRequired whether the file with it must be there
    /// @param deviceType as it is written
    /// @param dataplane the dataplane that is to make it, empty for the kernel
    /// @param forwarding whether the pod may forward packets
    /// @param defaultRoutes whether the default routes stand beside those of the configuration
    public record LinkShape(
            int mtu,
            boolean mtuFileRequired,
            int queues,
            String deviceType,
            String dataplane,
            boolean forwarding,
            boolean defaultRoutes) {}

    /// Which law gives the addresses.
    ///
    /// @param type the plugin's name, empty if none is written
    public record IpamChoice(String type, Law law) {

        /// The laws that something here depends on.
        public enum Law {
            CALICO,
            HOST_LOCAL,
            OTHER
        }
    }

    /// What pods may ask for.
    public record Features(boolean ipAddrsNoIpam, boolean floatingIps) {}

    /// What an ADD waits for.
    ///
    /// @param gates addresses of pages that must answer
    /// @param policySeconds how long, zero for not at all
    /// @param statusFolder where it is recorded that an endpoint's policy is in force
    public record Waiting(List<String> gates, int policySeconds, String statusFolder) {

        public Waiting {
            gates = List.copyOf(gates);
        }
    }

    public record Label(String key, String value) {}

    /// Reads the settings of the network and the pod.
    ///
    /// @param args the text of `CNI_ARGS`
    /// @throws CniException if anything in it is unreadable
    public static CalicoNetConfig read(NetworkConfig config, String args) {
        CalicoNetConfig read;
        try {
            read = read(config);
        } catch (CniException unreadable) {
            throw unreadable.as(CniCode.INTERNAL, "failed to load netconf: ");
        }
        CniNames.checkCalicoNetworkName(read.network);
        return read.with(CniArguments.parse(lenient(args), KEYS));
    }

    /// The same `CNI_ARGS`, in which unknown keys are not an error. Whatever Calico's plugin calls gets
    /// them in this form.
    public static String lenient(String args) {
        return args.isEmpty() ? "IgnoreUnknown=1" : "IgnoreUnknown=1;" + args;
    }

    private static CalicoNetConfig read(NetworkConfig config) {
        var members = config.members();
        return new CalicoNetConfig(
                config.name(),
                nodeName(members),
                linkShape(members),
                ipamChoice(config),
                features(part(members, "feature_control")),
                waiting(members),
                part(members, "policy").text("type"),
                part(members, "kubernetes").text("node_name"),
                labels(config),
                CniArguments.parse("", KEYS));
    }

    private static NodeName nodeName(Members members) {
        return new NodeName(
                members.text("nodename"),
                textOr(members, "nodename_file", NODENAME_FILE),
                members.flag("nodename_file_optional"),
                members.text("hostname"));
    }

    private static LinkShape linkShape(Members members) {
        return new LinkShape(
                members.integer("mtu").orElse(0),
                members.flag("require_mtu_file"),
                Math.max(1, members.integer("num_queues").orElse(1)),
                members.text("device_type"),
                part(members, "dataplane_options").text("type"),
                part(members, "container_settings").flag("allow_ip_forwarding"),
                members.flag("include_default_routes"));
    }

    private static IpamChoice ipamChoice(NetworkConfig config) {
        var ipam = part(config.members(), "ipam");
        var type = ipam.text("type");
        var dialect = type.equals(OWN_IPAM) ? ipam.text("dialect") : type;
        return new IpamChoice(
                type,
                switch (dialect) {
                    case "calico-ipam", "calico" -> IpamChoice.Law.CALICO;
                    case "host-local" -> IpamChoice.Law.HOST_LOCAL;
                    // Our own plugin follows Calico unless its dialect is configured.
                    case "" -> type.isEmpty() ? IpamChoice.Law.OTHER : IpamChoice.Law.CALICO;
                    default -> IpamChoice.Law.OTHER;
                });
    }

    private static Features features(Members control) {
        return new Features(control.flag("ip_addrs_no_ipam"), control.flag("floating_ips"));
    }

    private static Waiting waiting(Members members) {
        return new Waiting(
                members.texts("readiness_gates"),
                members.integer("policy_setup_timeout_seconds").orElse(0),
                textOr(members, "endpoint_status_dir", STATUS_FOLDER));
    }

    private static List<Label> labels(NetworkConfig config) {
        var info = part(part(part(config.members(), "args"), "org.apache.mesos"), "network_info");
        return part(info, "labels").objects("labels").stream()
                .map(label -> new Label(label.text("key"), label.text("value")))
                .toList();
    }

    private static String textOr(Members members, String name, String otherwise) {
        var written = members.text(name);
        return written.isEmpty() ? otherwise : written;
    }

    private static Members part(Members members, String name) {
        return members.object(name).orElseGet(() -> Members.of(Json.emptyObject()));
    }

    private CalicoNetConfig with(CniArguments read) {
        return new CalicoNetConfig(
                network, node, link, ipam, features, waiting, policyType, kubernetesNode, labels, read);
    }

    /// Accepts what an ADD can do. A DEL needs none of it, and must not fail because of it.
    ///
    /// @throws CniException if it asks for what does not exist here
    public void checkForAdd() {
        switch (link.deviceType()) {
            case "", "veth", "netkit" -> {}
            default ->
                throw new CniException(
                        CniCode.INTERNAL,
                        "unknown device_type %s in CNI config (supported: \"veth\", \"netkit\")"
                                .formatted(GoText.quote(link.deviceType())));
        }
        switch (link.dataplane()) {
            case "" -> {}
            case "grpc" ->
                throw new CniException(CniCode.UNSUPPORTED_FIELD, "dataplane_options.type: grpc is not supported");
            default -> throw new CniException(CniCode.INTERNAL, "invalid dataplane type: " + link.dataplane());
        }
        if (waiting.policySeconds() < 0) {
            throw new CniException(
                    CniCode.INTERNAL, "invalid pod startup delay of %d".formatted(waiting.policySeconds()));
        }
    }

    public Orchestrator orchestrator() {
        return arguments.text(POD).isEmpty() || arguments.text(NAMESPACE).isEmpty()
                ? Orchestrator.CNI
                : Orchestrator.K8S;
    }

    /// Whether what Kubernetes knows about the pod is to be asked for.
    public boolean asksKubernetes() {
        return orchestrator() == Orchestrator.K8S && policyType.equals("k8s");
    }

    /// The name of the pod, empty outside of Kubernetes.
    public String pod() {
        return orchestrator() == Orchestrator.K8S ? arguments.text(POD) : "";
    }

    /// The namespace of Kubernetes, or the one that Mesos names.
    public String namespace() {
        if (orchestrator() == Orchestrator.K8S) {
            return arguments.text(NAMESPACE);
        }
        return labels.stream()
                .filter(label -> label.key().equals(NAMESPACE_LABEL))
                .map(label -> sanitized(label.value()))
                .filter(name -> !name.isEmpty())
                .reduce((_, last) -> last)
                .orElse(DEFAULT_NAMESPACE);
    }

    /// What Mesos says about the container, in letters that a label may have.
    public List<Label> sanitizedLabels() {
        return labels.stream()
                .filter(label -> !label.key().equals(NAMESPACE_LABEL))
                .map(label -> new Label(sanitized(label.key()), sanitized(label.value())))
                .toList();
    }

    private static String sanitized(String text) {
        return text.replaceAll("[^A-Za-z0-9_.-]", "-").replaceAll("\\A[^A-Za-z0-9]+|[^A-Za-z0-9]+\\z", "");
    }

    /// Whether a subnet of host-local stands for what Kubernetes gave the node.
    ///
    /// @param words `usePodCidr` or `usePodCidrIPv6`
    public static boolean means(String subnet, String words) {
        return subnet.toLowerCase(Locale.ROOT).equals(words.toLowerCase(Locale.ROOT));
    }
}
