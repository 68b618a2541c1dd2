package io.cadastre.controller.collection;

import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeBook;

/// What is watched, each for itself.
enum Subject {
    BLOCKS(CalicoKeys.BLOCKS),
    AFFINITIES(CalicoKeys.HOSTS),
    NODES(CalicoKeys.NODES),
    POOLS(CalicoKeys.POOLS),
    RESERVATIONS(CalicoKeys.RESERVATIONS),
    CONFIG(CalicoKeys.CONFIG),
    ENDPOINTS(EndpointKeys.ENDPOINTS),
    CLUSTER(new CalicoKey.OfClusterInformation().text()),
    KUBERNETES_NODES(NodeBook.NODES),
    PODS(CoreKeys.PODS);

    private final String prefix;

    Subject(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }
}
