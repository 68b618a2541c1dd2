package io.cadastre.agent.calico;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/// Tells what Kubernetes knows that decides which addresses a pod is given.
public interface KubernetesFacts {

    /// Where there is no Kubernetes to be asked: nothing is known of a namespace but its name.
    KubernetesFacts NOTHING =
            new KubernetesFacts() {
                @Override
                public Optional<SortedMap<String, String>> findNamespaceLabels(String namespace) {
                    return Optional.of(Collections.emptySortedMap());
                }

                @Override
                public SortedMap<String, String> fetchNodeLabels(String node) {
                    return Collections.emptySortedMap();
                }

                @Override
                public Optional<Machine> findMachine(String namespace, String pod) {
                    return Optional.empty();
                }
            };

    /// The labels of a namespace; empty if there is no such namespace.
    Optional<SortedMap<String, String>> findNamespaceLabels(String namespace);

    /// The labels of a node; none if it has none, or there is no such node.
    SortedMap<String, String> fetchNodeLabels(String node);

    /// The virtual machine that a pod runs; empty if it runs none, or there is no such pod.
    Optional<Machine> findMachine(String namespace, String pod);
}
