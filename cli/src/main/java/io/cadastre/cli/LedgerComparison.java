package io.cadastre.cli;

import io.cadastre.address.Range;
import io.cadastre.engine.Holding;
import io.cadastre.registry.DoubleHolding;
import io.cadastre.registry.HoldingPeriod;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.LedgerException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Compares what a ledger says is held with what a store has: begun before the store is read, and told after it.
///
/// Others decide meanwhile. So what differs counts only if the ledger says it before and after.
final class LedgerComparison {

    /// A ledger that cannot be read to its end.
    private static final Ledger.Periods NOTHING = new Ledger.Periods(List.of(), List.of());

    private final StoreOptions options;
    private final Surroundings surroundings;
    private final Ledger.Periods before;
    private boolean unreadable;

    private LedgerComparison(StoreOptions options, Surroundings surroundings) {
        this.options = options;
        this.surroundings = surroundings;
        this.before = read();
    }

    static LedgerComparison begin(StoreOptions options, Surroundings surroundings) {
        return new LedgerComparison(options, surroundings);
    }

    /// Whether the holder is one that a store has, and not a folder of host-local.
    static boolean isOfStore(Holding holding) {
        return holding.state() == Holding.State.HELD
                && switch (holding.level()) {
                    case POOL -> false;
                    case NODE -> holding.holder().startsWith("node/");
                    case ENDPOINT ->
                            holding.holder().startsWith("handle/")
                                    || holding.holder().startsWith("address/")
                                    || holding.holder().startsWith("pod/");
                };
    }

    /// Tells what differs, and how the command ends.
    ///
    /// @param present what the store has
    int tell(List<Holding> present) {
        var findings =
                new ArrayList<>(before.doubled().stream().map(DoubleHolding::sentence).toList());
        findings.addAll(differences(present));
        if (Archive.writers(options, surroundings) == Ledger.Writers.ALL_RECORDED) {
            return Math.max(
                    IpamCheck.tell(findings, surroundings::complain),
                    unreadable ? ExitCode.FAILED : ExitCode.DONE);
        }
        if (!findings.isEmpty()) {
            IpamCheck.tell(findings, surroundings::warn);
            surroundings.warn(
                    "other processes may have released these, or the store was put back from a"
                            + " backup: 'cadastre ipam adopt --dry-run' shows who else would hold"
                            + " them");
        }
        return unreadable ? ExitCode.FAILED : ExitCode.DONE;
    }

    private List<String> differences(List<Holding> present) {
        var held = present.stream().collect(Collectors.groupingBy(Holding::range));
        var suspects = new LinkedHashMap<HoldingPeriod, String>();
        for (var period : before.periods()) {
            if (isOfStore(period.holding())) {
                findDifference(period, held).ifPresent(words -> suspects.put(period, words));
            }
        }
        if (suspects.isEmpty()) {
            return List.of();
        }
        var after = new HashSet<>(read().periods());
        return suspects.entrySet().stream()
                .filter(suspect -> after.contains(suspect.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static Optional<String> findDifference(
            HoldingPeriod period, Map<Range, List<Holding>> held) {
        var holder = period.holding().holder();
        var others = held.getOrDefault(period.holding().range(), List.of());
        Predicate<Holding> same =
                other -> other.holder().equals(holder) && other.state() != Holding.State.COOLING;
        if (others.stream().anyMatch(same)) {
            return Optional.empty();
        }
        var range = period.holding().range();
        return Optional.of(
                "the ledger says that %s holds %s since %s (entry %d), and the store %s"
                        .formatted(
                                holder,
                                range.first().equals(range.last())
                                        ? range.first()
                                        : range.prefixes().getFirst(),
                                period.from(),
                                period.number(),
                                others.isEmpty()
                                        ? "has it free"
                                        : "says " + others.getFirst().holder()));
    }

    private Ledger.Periods read() {
        var found = Archive.find(options, surroundings);
        if (found.isEmpty()) {
            return NOTHING;
        }
        try (var archive = found.get()) {
            return archive.ledger().openPeriods(Archive.writers(options, surroundings));
        } catch (LedgerException damaged) {
            unreadable = true;
            surroundings.complain(
                    "ledger entry %d in %s is not sound: %s; 'cadastre ledger verify' looks at all of it"
                            .formatted(damaged.number(), found.get().file(), damaged.reason()));
            return NOTHING;
        }
    }
}
