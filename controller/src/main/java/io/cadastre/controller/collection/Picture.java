package io.cadastre.controller.collection;

import io.cadastre.engine.block.KnownBlocks;
import io.cadastre.engine.block.Population;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster at one moment, as far as the watches have told it.
///
/// @param nodes Calico's nodes by name, with what Kubernetes calls them, which is empty for those that
///     are no nodes of Kubernetes
/// @param ready whether the store may be written
/// @param inhabited whether there is a cluster at all and it is Calico's, so that the absence of a pod means
///     anything
record Picture(
        KnownBlocks view,
        Population population,
        SortedMap<String, String> nodes,
        boolean ready,
        boolean inhabited) {

    Picture {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }
}
