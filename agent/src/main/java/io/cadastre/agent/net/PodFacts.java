package io.cadastre.agent.net;

import io.cadastre.agent.StoreFailures;
import io.cadastre.wire.cni.CalicoAnnotations;
import io.cadastre.wire.cni.CalicoNetConfig;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.GoText;

/// What a cluster knows about a pod, and what the pod and its namespace ask for. Nothing, if it is not to
/// be asked.
record PodFacts(PodLookup.Pod pod, CalicoAnnotations annotations) {

    private static final PodFacts NONE = new PodFacts(PodLookup.Pod.UNKNOWN, CalicoAnnotations.NONE);

    /// @throws CniException if the cluster does not know the pod
    static PodFacts fetch(PodLookup pods, CalicoNetConfig config, Workload workload) {
        return config.asksKubernetes() ? StoreFailures.answered(() -> fetch(pods, workload)) : NONE;
    }

    private static PodFacts fetch(PodLookup pods, Workload workload) {
        var pod =
                pods.findPod(workload.namespace(), workload.pod()).orElseThrow(() -> notFound("pods", workload.pod()));
        var namespace = pods.findNamespace(workload.namespace())
                .orElseThrow(() -> notFound("namespaces", workload.namespace()));
        return new PodFacts(pod, new CalicoAnnotations(namespace, pod.annotations()));
    }

    private static CniException notFound(String kind, String name) {
        return new CniException(CniCode.INTERNAL, "%s %s not found".formatted(kind, GoText.quote(name)));
    }
}
