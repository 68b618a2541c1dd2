package io.cadastre.agent.calico;

import static io.cadastre.agent.StoreFailures.answered;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.cni.CalicoIpamConfig;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniArguments;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Makes of a CNI call what is asked for, with all that Kubernetes knows of the pod.
///
/// @param node whose agent it is
record AttachRequests(Registrar<BlockView, BlockChange> registrar, String node, KubernetesFacts kubernetes) {

    private static final List<CniArguments.Key> POD_UID =
            List.of(new CniArguments.Key("K8S_POD_UID", CniArguments.Kind.TEXT));

    AttachRequest asking(CniCall call, Instant now) {
        var config = CalicoIpamConfig.read(call.config(), call.args());
        AttachmentId.of(call).requireFitting();
        return new AttachRequest(owner(call, config), host(config), config, namespaceLabels(config), podUid(call), now);
    }

    /// Kubelet says it beside what Calico's plugin knows.
    private static String podUid(CniCall call) {
        return CniArguments.parse(CalicoNetConfig.lenient(call.args()), POD_UID)
                .text(POD_UID.getFirst().name());
    }

    /// The virtual machine that runs in the pod, or the container.
    AddressOwner owner(CniCall call, CalicoIpamConfig config) {
        var id = AttachmentId.of(call);
        if (!config.pod().startsWith(VirtualMachine.POD_PREFIX)) {
            return new AddressOwner.Container(id);
        }
        return answered(() -> kubernetes.findMachine(config.namespace(), config.pod()))
                .<AddressOwner>map(machine ->
                        new AddressOwner.OfMachine(id, new Expectation.Pod(config.namespace(), config.pod()), machine))
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
