package io.cadastre.controller.collection;

import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.index.BlockSnapshot;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster at one moment, as far as the watches have reported it.
///
/// @param nodes Calico's nodes by name, with what Kubernetes calls them, which is empty for those that are
///     not nodes of Kubernetes
/// @param ready whether the store may be written
/// @param inhabited whether there is a cluster at all and it is Calico's, so that the absence of a pod is
///     meaningful
record ClusterSnapshot(
        BlockSnapshot view, LiveOwners liveOwners, SortedMap<String, String> nodes, boolean ready, boolean inhabited) {

    ClusterSnapshot {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }
}
