package io.cadastre.engine.demand;

import io.cadastre.address.Family;
import java.util.List;

/// A pool as far as the choice for a pod looks at it.
///
/// @param podSelectors none or one; a pool with none takes the pods of any labels
/// @param namespaceSelectors likewise of their namespaces; a pool with neither is not chosen by selectors
public record SelectingPool(
        String name, List<Family> families, List<PodSelector> podSelectors, List<PodSelector> namespaceSelectors) {

    public SelectingPool {
        families = List.copyOf(families);
        podSelectors = List.copyOf(podSelectors);
        namespaceSelectors = List.copyOf(namespaceSelectors);
        if (podSelectors.size() > 1 || namespaceSelectors.size() > 1) {
            throw new IllegalArgumentException("pool %s has more than one selector of a kind".formatted(name));
        }
    }

    boolean selects() {
        return !podSelectors.isEmpty() || !namespaceSelectors.isEmpty();
    }
}
