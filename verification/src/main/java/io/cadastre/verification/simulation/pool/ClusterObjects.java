package io.cadastre.verification.simulation.pool;

import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/// The Nodes, Pods and StatefulSets of a simulated cluster. They are written without faults, as by processes that are
/// not simulated.
record ClusterObjects(Simulation stage) {

    static final String NAMESPACE = "sim";
    static final int GRACE_SECONDS = 4;

    private static final String STATEFUL_SETS = "/cadastre/apis/apps/v1/statefulsets/" + NAMESPACE + "/";

    /// A Pod as its node sees it.
    ///
    /// @param set the StatefulSet that it is of; empty if it is of none
    /// @param pools the annotation that names its pools
    record Shown(String name, String uid, String node, String set, String pools) {}

    void addNode(String name) {
        stage.network().put(name, CoreKeys.NODES + name, """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},\
            "status":{"conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name));
    }

    void showStatefulSet(String actor, String name, int replicas) {
        stage.network().put(actor, STATEFUL_SETS + name, """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"%s","name":"%s"},\
            "spec":{"replicas":%d}}\
            """.formatted(NAMESPACE, name, replicas));
    }

    void removeStatefulSet(String actor, String name) {
        stage.network().delete(actor, STATEFUL_SETS + name);
    }

    void showPending(String actor, Shown pod) {
        show(actor, pod, "", "\"phase\":\"Pending\"");
    }

    void showRunning(String actor, Shown pod, List<String> addresses) {
        show(actor, pod, "", status(addresses));
    }

    /// Its deletion begins now.
    void showLeaving(String actor, Shown pod, List<String> addresses) {
        var end = stage.scheduler().instant().plusSeconds(GRACE_SECONDS).truncatedTo(ChronoUnit.SECONDS);
        show(
                actor,
                pod,
                ",\"deletionTimestamp\":\"%s\",\"deletionGracePeriodSeconds\":%d".formatted(end, GRACE_SECONDS),
                status(addresses));
    }

    private static String status(List<String> addresses) {
        return addresses.isEmpty()
                ? "\"phase\":\"Pending\""
                : "\"phase\":\"Running\",\"podIP\":\"%s\",\"podIPs\":[%s]"
                        .formatted(
                                addresses.getFirst(),
                                addresses.stream()
                                        .map("{\"ip\":\"%s\"}"::formatted)
                                        .collect(Collectors.joining(",")));
    }

    private void show(String actor, Shown pod, String leaving, String status) {
        var owner = pod.set().isEmpty()
                ? ""
                : ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"name\":\"%s\",\"controller\":true}]"
                        .formatted(pod.set());
        stage.network().put(actor, CoreKeys.PODS + NAMESPACE + "/" + pod.name(), """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"%s","name":"%s","uid":"%s",\
            "annotations":{"ipam.spidernet.io/ippool":"%s"}%s%s},"spec":{"nodeName":"%s"},"status":{%s}}\
            """.formatted(
                        NAMESPACE,
                        pod.name(),
                        pod.uid(),
                        pod.pools().replace("\"", "\\\""),
                        owner,
                        leaving,
                        pod.node(),
                        status));
    }

    void removePod(String actor, String name) {
        stage.network().delete(actor, CoreKeys.PODS + NAMESPACE + "/" + name);
    }
}
