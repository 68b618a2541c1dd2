package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Holding;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockHoldings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Records what other processes wrote to blocks, as observed, so that one ledger answers for a cluster.
///
/// The beginning of a holding is recorded unless the ledger has it already, and its end only if the ledger
/// has it. So nothing is recorded twice: what this process does itself is in the ledger before the watch
/// shows it, and a process that starts again finds what it recorded before. The time of an entry is that of
/// the look, since the store does not keep when a thing was written. What came and went between two looks
/// is not seen, nor what ended while no process looked.
///
/// Only one thread at a time may use it.
final class ObservedBlocks {

    /// Holdings that are compared with the ledger in one look. A look that leaves some is followed by
    /// another.
    static final int HOLDINGS_MAX = 2_000;

    private final Ledger ledger;
    private final Map<Prefix, Block> seen = new HashMap<>();

    ObservedBlocks(Ledger ledger) {
        this.ledger = ledger;
    }

    /// Records what has changed since the last look. Returns whether that is all.
    boolean look(BlockView view, Instant now) {
        var entries = new ArrayList<Ledger.Entry>();
        var current = new HashMap<Prefix, Block>();
        for (var family : Family.values()) {
            view.blocks(family).forEach(block -> current.put(block.cidr(), block));
        }
        var forgotten = new ArrayList<Prefix>();
        var changed = new ArrayList<Block>();
        int compared = 0;
        var gone = seen.keySet().stream()
                .filter(cidr -> !current.containsKey(cidr))
                .toList();
        for (var cidr : gone) {
            if (compared >= HOLDINGS_MAX) {
                break;
            }
            compared += compare(cidr, Optional.ofNullable(seen.get(cidr)), null, now, entries);
            forgotten.add(cidr);
        }
        boolean all = compared < HOLDINGS_MAX;
        for (var block : current.values()) {
            var before = Optional.ofNullable(seen.get(block.cidr()));
            if (before.filter(former -> former.equals(block)).isPresent()) {
                continue;
            }
            if (compared >= HOLDINGS_MAX) {
                all = false;
                break;
            }
            compared += compare(block.cidr(), before, block, now, entries);
            changed.add(block);
        }
        ledger.append(entries);
        // Only now: what could not be recorded is found again by the next look.
        forgotten.forEach(seen::remove);
        changed.forEach(block -> seen.put(block.cidr(), block));
        return all;
    }

    /// Returns how many holdings were compared.
    private int compare(
            Prefix cidr, Optional<Block> before, @Nullable Block after, Instant now, List<Ledger.Entry> entries) {
        var gained = held(BlockHoldings.gained(before, Optional.ofNullable(after)));
        var lost = held(BlockHoldings.gained(Optional.ofNullable(after), before));
        var granted = gained.stream().filter(holding -> !known(holding, now)).toList();
        var returned = lost.stream().filter(holding -> known(holding, now)).toList();
        if (!granted.isEmpty() || !returned.isEmpty()) {
            entries.add(new Ledger.Entry(
                    now,
                    "observed block " + cidr,
                    Fact.text("observed"),
                    1,
                    0,
                    granted,
                    returned,
                    List.of(Fact.text("observed: another process wrote block " + cidr))));
        }
        return gained.size() + lost.size();
    }

    private static List<Holding> held(List<Holding> holdings) {
        return holdings.stream()
                .filter(one -> one.state() == Holding.State.HELD)
                .toList();
    }

    private boolean known(Holding holding, Instant now) {
        return ledger.holders(holding.range().first(), now, Ledger.Writers.OTHERS_TOO).periods().stream()
                .anyMatch(period -> period.holding().equals(holding));
    }
}
