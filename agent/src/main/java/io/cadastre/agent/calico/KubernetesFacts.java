package io.cadastre.agent.calico;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/// Looks up the facts of Kubernetes that decide which addresses a pod is given.
public interface KubernetesFacts {

    /// For setups without Kubernetes: nothing is known about a namespace but its name.
    KubernetesFacts NOTHING = new KubernetesFacts() {
        @Override
        public Optional<SortedMap<String, String>> findNamespaceLabels(String namespace) {
            return Optional.of(Collections.emptySortedMap());
        }

        @Override
        public SortedMap<String, String> fetchNodeLabels(String node) {
            return Collections.emptySortedMap();
        }

        @Override
        public Optional<VirtualMachine> findMachine(String namespace, String pod) {
            return Optional.empty();
        }
    };

    /// The labels of a namespace; empty if the namespace does not exist.
    Optional<SortedMap<String, String>> findNamespaceLabels(String namespace);

    /// The labels of a node; none if it has none, or the node does not exist.
    SortedMap<String, String> fetchNodeLabels(String node);

    /// The virtual machine that a pod runs; empty if it runs none, or the pod does not exist.
    Optional<VirtualMachine> findMachine(String namespace, String pod);
}
