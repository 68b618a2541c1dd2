package io.cadastre.engine.demand;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a pod or a namespace carries.
public record LabeledObject(SortedMap<String, String> labels, SortedMap<String, String> annotations) {

    public LabeledObject {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }
}
