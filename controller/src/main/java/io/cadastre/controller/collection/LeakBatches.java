package io.cadastre.controller.collection;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.Leak;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Leaks in parts of which each fits into one commit. Those of one handle stay together, and those of
/// one block as far as that goes: then the block is written once.
final class LeakBatches {

    /// Each block and each handle is a write. Some room is left.
    private static final int WRITES_MAX = Datastore.WRITES_MAX - 16;

    private LeakBatches() {}

    /// @param leaks all of a handle or none
    static List<List<Leak>> of(List<Leak> leaks) {
        var byHandle = new LinkedHashMap<String, List<Leak>>();
        leaks.stream()
                .sorted(Comparator.comparing(Leak::block).thenComparing(Leak::allocation))
                .forEach(leak -> byHandle.computeIfAbsent(leak.allocation().handle(), _ -> new ArrayList<>())
                        .add(leak));
        return pack(byHandle);
    }

    private static List<List<Leak>> pack(Map<String, List<Leak>> byHandle) {
        var batches = new ArrayList<List<Leak>>();
        var batch = new ArrayList<Leak>();
        var blocks = new HashSet<Prefix>();
        int handles = 0;
        int total = 0;
        for (var ofHandle : byHandle.values()) {
            if (total + ofHandle.size() > BlockCollector.LEAKS_MAX && total > 0) {
                break;
            }
            if (!batch.isEmpty() && handles + 1 + merged(blocks, ofHandle).size() > WRITES_MAX) {
                batches.add(List.copyOf(batch));
                batch.clear();
                blocks.clear();
                handles = 0;
            }
            batch.addAll(ofHandle);
            blocks.addAll(merged(blocks, ofHandle));
            handles++;
            total += ofHandle.size();
        }
        if (!batch.isEmpty()) {
            batches.add(List.copyOf(batch));
        }
        return batches;
    }

    private static Set<Prefix> merged(Set<Prefix> blocks, List<Leak> further) {
        var all = new HashSet<>(blocks);
        further.forEach(leak -> all.add(leak.block()));
        return all;
    }
}
