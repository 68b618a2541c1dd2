package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// In which blocks the addresses of one holder are, and how many. It may count too many, never too
/// few: otherwise the holder could not find what it must give back.
public record Handle(String id, SortedMap<Prefix, Integer> counts) {

    public Handle {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    public static Handle empty(String id) {
        return new Handle(id, Collections.emptySortedMap());
    }

    public int count(Prefix block) {
        return counts.getOrDefault(block, 0);
    }

    /// How many addresses of the family there may be.
    public int total(Family family) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().family() == family)
                .mapToInt(entry -> entry.getValue())
                .sum();
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /// This with the count of addresses in the block; zero removes the block.
    public Handle withCount(Prefix block, int count) {
        var changed = new TreeMap<>(counts);
        if (count > 0) {
            changed.put(block, count);
        } else {
            changed.remove(block);
        }
        return new Handle(id, changed);
    }
}
