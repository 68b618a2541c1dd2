package io.cadastre.agent.net;

import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Port;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Looks up what a cluster knows about its pods.
public interface PodLookup {

    Optional<Pod> findPod(String namespace, String name);

    /// The annotations of a namespace; empty if the namespace does not exist.
    Optional<SortedMap<String, String>> findNamespace(String name);

    /// The prefixes that a node has for its pods, as they are written; none if it has none, or the node
    /// does not exist.
    List<String> fetchPodCidrs(String node);

    /// What counts of a pod.
    ///
    /// @param ports those that have a name or are ports of the host
    record Pod(
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations,
            String serviceAccount,
            List<Port> ports) {

        /// One of which nothing is known.
        static final Pod UNKNOWN = new Pod(Map.of(), Map.of(), "", List.of());

        public Pod {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
            ports = List.copyOf(ports);
        }

        private Pod(
                Map<String, String> labels, Map<String, String> annotations, String serviceAccount, List<Port> ports) {
            this(new TreeMap<>(labels), new TreeMap<>(annotations), serviceAccount, ports);
        }
    }
}
