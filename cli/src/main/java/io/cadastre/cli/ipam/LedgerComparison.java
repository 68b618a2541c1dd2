package io.cadastre.cli.ipam;

import io.cadastre.address.Range;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.StoreOptions;
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

/// Compares the holders that a ledger records with those of a store. It begins before the store is read, and
/// reports afterwards.
///
/// Other processes may decide in between. So a difference counts only if the ledger has it before and after.
final class LedgerComparison {

    /// Stands for a ledger that cannot be read to its end.
    private static final Ledger.Periods NOTHING = new Ledger.Periods(List.of(), List.of());

    private final StoreOptions options;
    private final CommandContext context;
    private final Ledger.Periods before;
    private boolean unreadable;

    private LedgerComparison(StoreOptions options, CommandContext context) {
        this.options = options;
        this.context = context;
        this.before = read();
    }

    static LedgerComparison begin(StoreOptions options, CommandContext context) {
        return new LedgerComparison(options, context);
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

    /// Reports the differences, and returns the exit code.
    ///
    /// @param present what the store has
    int report(List<Holding> present) {
        var findings = new ArrayList<>(
                before.doubled().stream().map(DoubleHolding::sentence).toList());
        findings.addAll(differences(present));
        if (LedgerFile.writers(options, context) == Ledger.Writers.ALL_RECORDED) {
            return Math.max(
                    IpamCheck.report(findings, context::complain), unreadable ? ExitCode.FAILED : ExitCode.DONE);
        }
        if (!findings.isEmpty()) {
            IpamCheck.report(findings, context::warn);
            context.warn("other processes may have released these, or the store was restored from a"
                    + " backup; 'cadastre ipam adopt --dry-run' shows who would hold them");
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

    private static Optional<String> findDifference(HoldingPeriod period, Map<Range, List<Holding>> held) {
        var holder = period.holding().holder();
        var others = held.getOrDefault(period.holding().range(), List.of());
        Predicate<Holding> same = other -> other.holder().equals(holder) && other.state() != Holding.State.COOLING;
        if (others.stream().anyMatch(same)) {
            return Optional.empty();
        }
        var range = period.holding().range();
        return Optional.of("the ledger says that %s holds %s since %s (entry %d), but the store %s"
                .formatted(
                        holder,
                        range.first().equals(range.last())
                                ? range.first()
                                : range.prefixes().getFirst(),
                        period.from(),
                        period.number(),
                        others.isEmpty()
                                ? "records it as free"
                                : "records " + others.getFirst().holder()));
    }

    private Ledger.Periods read() {
        var found = LedgerFile.find(options, context);
        if (found.isEmpty()) {
            return NOTHING;
        }
        try (var ledgerFile = found.get()) {
            return ledgerFile.ledger().openPeriods(LedgerFile.writers(options, context));
        } catch (LedgerException damaged) {
            unreadable = true;
            context.complain("ledger entry %d in %s is not sound: %s; 'cadastre ledger verify' checks the whole ledger"
                    .formatted(damaged.number(), found.get().file(), damaged.reason()));
            return NOTHING;
        }
    }
}
