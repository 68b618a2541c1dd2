package io.cadastre.registry;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Makes periods of entries, which come in the order of their commits.
final class HoldingPeriods {

    /// At most this many double holdings are reported.
    private static final int DOUBLE_MAX = 100;

    /// What makes two holdings the same one, whatever else is known of the holder.
    private record Key(Range range, Holding.Level level, String holder, Holding.State state) {

        static Key of(Holding holding) {
            return new Key(holding.range(), holding.level(), holding.holder(), holding.state());
        }
    }

    private final Ledger.Writers writers;
    private final Predicate<Holding> matching;
    private final Consumer<HoldingPeriod> ended;

    private final Map<Key, HoldingPeriod> open = new LinkedHashMap<>();

    /// What is held at each level, by its first address. Holders of one level do not overlap, but where
    /// they are doubled; then only the latest is here.
    private final Map<Holding.Level, NavigableMap<Address, HoldingPeriod>> held = new EnumMap<>(Holding.Level.class);

    private final List<DoubleHolding> doubled = new ArrayList<>();

    HoldingPeriods(Ledger.Writers writers, Consumer<HoldingPeriod> ended) {
        this(writers, _ -> true, ended);
    }

    /// @param matching which holdings are looked at
    /// @param ended takes the periods that have ended, as they end
    HoldingPeriods(Ledger.Writers writers, Predicate<Holding> matching, Consumer<HoldingPeriod> ended) {
        this.writers = writers;
        this.matching = matching;
        this.ended = ended;
    }

    void add(Ledger.Recorded recorded) {
        var entry = recorded.entry();
        for (var holding : entry.returned()) {
            if (matching.test(holding)) {
                end(Key.of(holding), new HoldingPeriod.End(entry.at(), true));
            }
        }
        for (int index = 0; index < entry.granted().size(); index++) {
            var holding = entry.granted().get(index);
            if (matching.test(holding)) {
                begin(
                        LedgerCut.carried(entry, index).orElseGet(() -> HoldingPeriod.begunBy(recorded, holding)),
                        entry.revision());
            }
        }
    }

    /// Those that last, in the order in which they began.
    List<HoldingPeriod> open() {
        return List.copyOf(open.values());
    }

    List<DoubleHolding> doubled() {
        return List.copyOf(doubled);
    }

    private void begin(HoldingPeriod period, long revision) {
        var key = Key.of(period.holding());
        if (open.containsKey(key)) {
            // The ledger may record a holding twice rather than not at all.
            return;
        }
        if (exclusive(period.holding())) {
            for (var other : overlapping(period.holding())) {
                if (!other.holding().holder().equals(period.holding().holder())) {
                    meet(other, period, revision);
                }
            }
            heldAt(period.holding().level()).put(period.holding().range().first(), period);
        }
        open.put(key, period);
    }

    /// Where every writer records in the ledger, a holder that has not given back still holds.
    /// Elsewhere, and in a folder, which has no revisions, the store let another holder have the range,
    /// so the former holding had ended.
    private void meet(HoldingPeriod former, HoldingPeriod period, long revision) {
        if (writers == Ledger.Writers.ALL_RECORDED && revision > 0) {
            if (doubled.size() < DOUBLE_MAX) {
                doubled.add(new DoubleHolding(former, period));
            }
        } else {
            end(Key.of(former.holding()), new HoldingPeriod.End(period.from(), false));
        }
    }

    private void end(Key key, HoldingPeriod.End end) {
        var period = open.remove(key);
        if (period != null) {
            heldAt(key.level()).remove(key.range().first(), period);
            ended.accept(period.ending(end));
        }
    }

    private static boolean exclusive(Holding holding) {
        return holding.level() != Holding.Level.POOL && holding.state() == Holding.State.HELD;
    }

    private List<HoldingPeriod> overlapping(Holding holding) {
        var among = heldAt(holding.level());
        var found = new ArrayList<HoldingPeriod>(
                among.subMap(holding.range().first(), true, holding.range().last(), true)
                        .values());
        var before = among.lowerEntry(holding.range().first());
        if (before != null && before.getValue().holding().range().overlaps(holding.range())) {
            found.add(before.getValue());
        }
        return found;
    }

    private NavigableMap<Address, HoldingPeriod> heldAt(Holding.Level level) {
        return held.computeIfAbsent(level, _ -> new TreeMap<>(Comparator.naturalOrder()));
    }
}
