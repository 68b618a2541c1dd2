package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.engine.nodecidr.NodeEntry;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node with its labels.
public record LabeledNode(NodeEntry entry, SortedMap<String, String> labels) {

    public LabeledNode {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public String name() {
        return entry.name();
    }
}
