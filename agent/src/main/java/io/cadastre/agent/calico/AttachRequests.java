package io.cadastre.agent.calico;

import static io.cadastre.agent.StoreFailures.answered;

import io.cadastre.address.Family;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Keys;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AddressOwner;
import io.cadastre.engine.block.assign.AttachRequest;
import io.cadastre.engine.block.assign.AttachRequest.PoolReference;
import io.cadastre.engine.block.assign.AttachRequest.Wanted;
import io.cadastre.engine.block.assign.AttachmentId;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniArguments;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.cni.InterfaceAddress;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Makes requests to the engine of CNI calls, with all that Kubernetes knows about the pod.
///
/// @param node that the agent runs on
record AttachRequests(Registrar<BlockView, BlockChange> registrar, String node, KubernetesFacts kubernetes) {

    /// As Go prints a time.
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendLiteral(" +0000 UTC")
            .toFormatter(Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final List<CniArguments.Key> POD_UID =
            List.of(new CniArguments.Key("K8S_POD_UID", CniArguments.Kind.TEXT));

    /// @throws CniException if the handle of the container does not fit into a store
    AttachRequest attach(CniCall call, Instant now) {
        var config = CalicoIpamConfig.read(call.config(), call.args());
        requireFitting(id(call));
        return new AttachRequest(
                owner(call, config),
                host(config),
                wanted(config),
                attributes(call, config, now),
                namespaceLabels(config),
                config.singleBlockPerHost() ? 1 : 0,
                now,
                List.of());
    }

    static AttachmentId id(CniCall call) {
        return new AttachmentId(call.config().name(), call.containerId(), call.ifname());
    }

    /// Whether a store may have a document of the handle. No address is ever given by one that does not fit.
    static boolean fits(String handle) {
        return Keys.fits(new CalicoKey.OfHandle(handle).text());
    }

    private static void requireFitting(AttachmentId id) {
        if (!fits(id.handle())) {
            throw new CniException(
                    CniCode.INVALID_ENVIRONMENT,
                    ("CNI_CONTAINERID has %d characters and the network's name %d: together they"
                                    + " name a document of the store, whose key has at most %d bytes")
                            .formatted(id.containerId().length(), id.network().length(), Datastore.KEY_BYTES_MAX),
                    "use a shorter name");
        }
    }

    private static Wanted wanted(CalicoIpamConfig config) {
        return config.requested()
                .<Wanted>map(Wanted.One::new)
                .orElseGet(
                        () -> new Wanted.Any(families(config), pools(config.ipv4Pools()), pools(config.ipv6Pools())));
    }

    /// The families of which an interface gets an address, unless it asks for one address.
    static List<Family> families(CalicoIpamConfig config) {
        var families = new ArrayList<Family>();
        if (config.assignIpv4()) {
            families.add(Family.IPV4);
        }
        if (config.assignIpv6()) {
            families.add(Family.IPV6);
        }
        return families;
    }

    private static List<PoolReference> pools(List<String> texts) {
        return texts.stream().map(AttachRequests::pool).toList();
    }

    /// A configuration names a pool by its prefix or by its name.
    private static PoolReference pool(String text) {
        try {
            return new PoolReference.OfPrefix(InterfaceAddress.parse(text).network());
        } catch (CniException _) {
            return new PoolReference.Named(
                    text, "error parsing pool %s: invalid CIDR address: %s".formatted(GoText.quote(text), text));
        }
    }

    private SortedMap<String, String> attributes(CniCall call, CalicoIpamConfig config, Instant now) {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", host(config));
        attributes.put("timestamp", TIMESTAMP.format(now));
        if (config.orchestrator() == Orchestrator.K8S) {
            attributes.put("pod", config.pod());
            attributes.put("namespace", config.namespace());
            var uid = podUid(call);
            if (!uid.isEmpty()) {
                attributes.put(BlockHoldings.POD_UID, uid);
            }
        }
        return attributes;
    }

    /// Kubelet says it beside what Calico's plugin knows.
    private static String podUid(CniCall call) {
        return CniArguments.parse(CalicoNetConfig.lenient(call.args()), POD_UID)
                .text(POD_UID.getFirst().name());
    }

    /// The virtual machine that runs in the pod, or the container.
    AddressOwner owner(CniCall call, CalicoIpamConfig config) {
        var id = id(call);
        if (!config.pod().startsWith(VirtualMachine.POD_PREFIX)) {
            return new AddressOwner.Container(id);
        }
        return answered(() -> kubernetes.findMachine(config.namespace(), config.pod()))
                .<AddressOwner>map(machine -> new AddressOwner.OfMachine(
                        id,
                        new Expectation.Pod(config.namespace(), config.pod()),
                        VirtualMachineHandle.of(id.network(), config.namespace(), machine.name()),
                        machine.attributes(),
                        machine.arriving(),
                        machine.leaving()))
                .orElseGet(() -> new AddressOwner.Container(id));
    }

    /// What pools select namespaces by. Kubernetes gives every namespace a label with its name.
    private SortedMap<String, String> namespaceLabels(CalicoIpamConfig config) {
        if (config.orchestrator() != Orchestrator.K8S) {
            return Collections.emptySortedMap();
        }
        var namespace = config.namespace();
        var labels = new TreeMap<>(fetchNamespaceLabels(config));
        labels.putIfAbsent("kubernetes.io/metadata.name", namespace);
        return labels;
    }

    /// Labels that no pool looks at are not read, unless the configuration wants to know that the
    /// namespace is there.
    private SortedMap<String, String> fetchNamespaceLabels(CalicoIpamConfig config) {
        boolean wanted = config.asksKubernetes() || answered(() -> ask(AttachRequests::anySelects));
        if (!wanted) {
            return Collections.emptySortedMap();
        }
        var namespace = config.namespace();
        var known = answered(() -> kubernetes.findNamespaceLabels(namespace));
        if (known.isEmpty() && config.asksKubernetes()) {
            throw new CniException(
                    CniCode.INTERNAL,
                    "failed to get namespace %s: namespaces %s not found".formatted(namespace, GoText.quote(namespace)),
                    "the agent finds no %s%s that it may read; store it and grant the right to read it, or leave policy.type k8s and the kubeconfig out of the network"
                            .formatted(CoreKeys.NAMESPACES, namespace));
        }
        return known.orElse(Collections.emptySortedMap());
    }

    private static boolean anySelects(BlockView view) {
        return view.pools().stream()
                .map(pool -> pool.namespaceSelector().text().strip())
                .anyMatch(text -> !text.isEmpty() && !text.equals("all()"));
    }

    /// A configuration without a name means the node of this agent.
    String host(CalicoIpamConfig config) {
        return config.nodename().isEmpty() ? node : config.nodename();
    }

    /// Answers a question. Nothing is written.
    <O> O ask(Function<BlockView, O> question) {
        return registrar
                .explain(new Request<BlockView, BlockChange, O>(
                        "look", view -> new Decision<>(question.apply(view), List.of(), List.of())))
                .outcome();
    }
}
