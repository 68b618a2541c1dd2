package io.cadastre.cli.history;

import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.registry.HoldingPeriod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A holder on the screen: what the store has, and since when and why by the ledger.
///
/// @param period null if the ledger has no record of it
/// @param inStore whether the store has it
record HolderRow(Holding holding, @Nullable HoldingPeriod period, InStore inStore) {

    /// What is known of a holding in the store.
    enum InStore {
        YES,
        NO,
        /// The row is about the past, or about something that this store does not keep.
        NOT_ASKED
    }

    /// Holdings as the ledger alone knows them.
    static List<HolderRow> of(List<HoldingPeriod> periods) {
        return periods.stream()
                .map(period -> new HolderRow(period.holding(), period, InStore.NOT_ASKED))
                .toList();
    }

    /// The holdings that are in force now, each once, and after them what only the ledger has.
    static List<HolderRow> of(Collection<Holding> stored, List<HoldingPeriod> periods) {
        var rows = new ArrayList<HolderRow>();
        var left = new ArrayList<>(periods);
        for (var holding : stored) {
            var recorded = left.stream().filter(period -> same(holding, period)).findFirst();
            recorded.ifPresent(left::remove);
            rows.add(new HolderRow(
                    recorded.map(HoldingPeriod::holding).orElse(holding), recorded.orElse(null), InStore.YES));
        }
        for (var period : left) {
            // Folders of host-local are not in the store.
            boolean elsewhere = period.holding().holder().startsWith("container/");
            rows.add(new HolderRow(period.holding(), period, elsewhere ? InStore.NOT_ASKED : InStore.NO));
        }
        return rows;
    }

    /// Pools have different names in the ledger and in reports about a store.
    private static boolean same(Holding holding, HoldingPeriod period) {
        return holding.level() == Level.POOL
                ? period.holding().level() == Level.POOL
                        && period.holding().range().equals(holding.range())
                : period.holding().equals(holding);
    }

    /// Something that the ledger knows.
    String recorded(Function<HoldingPeriod, String> fact) {
        return period == null ? "-" : fact.apply(period);
    }

    String why() {
        if (period == null) {
            return "not in the ledger";
        }
        return inStore == InStore.NO
                ? "not in the store; " + period.why().words()
                : period.why().words();
    }

    List<String> sources() {
        var sources = new ArrayList<String>();
        if (inStore == InStore.YES) {
            sources.add("store");
        }
        if (period != null) {
            sources.add("ledger");
        }
        return sources;
    }
}
