package io.cadastre.engine.block.collect;

import io.cadastre.address.Prefix;
import java.util.Collections;
import java.util.List;

/// What a collector found at one look, in the order in which it is dealt with.
///
/// @param tracker what is to be remembered until the next look
/// @param leaks addresses to be released, all of a handle or none of it
/// @param incomplete handles of which some addresses are leaked and others are not
/// @param coldBlocks blocks in which something is cold
/// @param unusedBlocks blocks that were empty for long
/// @param deadNodes hosts whose blocks are to be given up
public record SweepPlan(
        LeakTracker tracker,
        List<Leak> leaks,
        List<String> incomplete,
        List<Prefix> coldBlocks,
        List<Prefix> unusedBlocks,
        List<String> deadNodes) {

    public SweepPlan {
        leaks = List.copyOf(leaks);
        incomplete = List.copyOf(incomplete);
        coldBlocks = List.copyOf(coldBlocks);
        unusedBlocks = List.copyOf(unusedBlocks);
        deadNodes = List.copyOf(deadNodes);
    }

    static SweepPlan nothing(LeakTracker tracker) {
        return new SweepPlan(tracker, List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /// Only what the blocks alone prove, where there is no information about which owners are alive.
    public SweepPlan aboutEmptyBlocks() {
        return new SweepPlan(
                new LeakTracker(Collections.emptySortedMap(), tracker.emptySince()),
                List.of(),
                List.of(),
                coldBlocks,
                unusedBlocks,
                List.of());
    }

    /// Whether there is nothing that must be looked at again soon.
    public boolean settled() {
        return leaks.isEmpty() && incomplete.isEmpty() && deadNodes.isEmpty();
    }
}
