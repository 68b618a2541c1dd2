package io.cadastre.agent.net;

import io.cadastre.wire.calico.endpoint.EndpointName;
import io.cadastre.wire.calico.endpoint.HostLinkName;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;

/// What is attached: one interface of a pod, or of a container without a pod.
///
/// @param pod empty for a container without a pod
/// @param podUid empty if it is not known
record Workload(String network, String namespace, String pod, String podUid, String containerId, EndpointName name) {

    /// @throws CniException if it has no name that could be recorded
    static Workload of(CniCall call, CalicoNetConfig config, String node) {
        boolean isPod = config.orchestrator() == Orchestrator.K8S;
        try {
            return new Workload(
                    config.network(),
                    config.namespace(),
                    config.pod(),
                    PodArgument.find(call.args(), PodArgument.UID),
                    call.containerId(),
                    new EndpointName(
                            node, isPod ? "k8s" : "cni", isPod ? config.pod() : call.containerId(), call.ifname()));
        } catch (IllegalArgumentException senseless) {
            throw new CniException(
                    CniError.of(
                            CniCode.INTERNAL, "error constructing WorkloadEndpoint name: " + senseless.getMessage()),
                    senseless);
        }
    }

    boolean isPod() {
        return !pod.isEmpty();
    }

    /// The host's end of its link.
    String hostLink(String prefix) {
        return isPod() ? HostLinkName.ofPod(prefix, namespace, pod) : HostLinkName.ofContainer(containerId);
    }

    /// What no two calls touch at the same time: the endpoint and the link are the pod's.
    String turn() {
        return isPod() ? "%s/%s".formatted(namespace, pod) : containerId;
    }

    /// For the notes on pods.
    PodNotes.Sandbox sandbox() {
        return new PodNotes.Sandbox(namespace, pod, podUid, containerId);
    }

    /// For the ledger.
    String words() {
        return "%s/%s/%s".formatted(network, containerId, name.ifname());
    }
}
