package io.cadastre.engine.pool;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What pools select a pod by.
public record Labels(
        SortedMap<String, String> pod, SortedMap<String, String> namespace, SortedMap<String, String> node) {

    public static final Labels NONE =
            new Labels(Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap());

    public Labels {
        pod = Collections.unmodifiableSortedMap(new TreeMap<>(pod));
        namespace = Collections.unmodifiableSortedMap(new TreeMap<>(namespace));
        node = Collections.unmodifiableSortedMap(new TreeMap<>(node));
    }
}
