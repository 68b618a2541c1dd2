package io.cadastre.controller.collection;

import java.util.EnumSet;
import java.util.Set;

/// Where a controller learns which nodes and pods there are.
public enum ClusterSource {
    /// The Kubernetes API, where Calico's nodes are the Nodes and its endpoints the Pods.
    KUBERNETES,

    /// Nodes and WorkloadEndpoints of Calico's own, and the Nodes and Pods of Kubernetes beside them.
    CALICO_AND_KUBERNETES,

    /// Nothing: which pods live is not known, so only what blocks say of themselves is proof.
    CALICO_ALONE;

    /// What is listed and watched, each once.
    Set<Subject> followed() {
        return EnumSet.complementOf(
                switch (this) {
                    case KUBERNETES -> EnumSet.of(Subject.NODES, Subject.ENDPOINTS);
                    case CALICO_AND_KUBERNETES -> EnumSet.noneOf(Subject.class);
                    case CALICO_ALONE -> EnumSet.of(Subject.KUBERNETES_NODES, Subject.PODS, Subject.ENDPOINTS);
                });
    }
}
