package io.cadastre.engine.demand;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// All that the choice of a pool may look at.
///
/// @param synced whether all pools have been read
/// @param pools in the order of their names
/// @param pods by NAMESPACE/NAME
/// @param namespaces by their names
public record PoolChoiceView(
        boolean synced,
        String defaultPool,
        List<SelectingPool> pools,
        SortedMap<String, LabeledObject> pods,
        SortedMap<String, LabeledObject> namespaces) {

    public PoolChoiceView {
        pools = List.copyOf(pools);
        pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
        namespaces = Collections.unmodifiableSortedMap(new TreeMap<>(namespaces));
    }
}
