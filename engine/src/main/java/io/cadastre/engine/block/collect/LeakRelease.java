package io.cadastre.engine.block.collect;

import java.util.List;

/// What became of leaks.
///
/// @param released are free, or cool
/// @param alive turned out to be used after all, or share a handle with one that is
/// @param changed were released or given anew since they were judged
public record LeakRelease(List<Leak> released, List<Leak> alive, List<Leak> changed) {

    public LeakRelease {
        released = List.copyOf(released);
        alive = List.copyOf(alive);
        changed = List.copyOf(changed);
    }
}
