package io.cadastre.registry;

import io.cadastre.engine.Holding;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How long a holder held a range, and why it was given it.
///
/// @param number the entry that records its beginning
/// @param end null while it lasts
public record HoldingPeriod(
        Holding holding,
        Instant from,
        long number,
        String request,
        Fact why,
        @Nullable End end) {

    /// The end of a period.
    ///
    /// @param seen false if no entry records it: another holder was given the range, so it ended before
    public record End(Instant at, boolean seen) {}

    public Optional<Instant> until() {
        return Optional.ofNullable(end).map(End::at);
    }

    HoldingPeriod ending(End other) {
        return new HoldingPeriod(holding, from, number, request, why, other);
    }

    static HoldingPeriod begunBy(Ledger.Recorded recorded, Holding holding) {
        var entry = recorded.entry();
        return new HoldingPeriod(holding, entry.at(), recorded.number(), entry.request(), why(entry, holding), null);
    }

    /// The last reason that names the range, or else the last one. A request without reasons is its own.
    private static Fact why(Ledger.Entry entry, Holding holding) {
        var because = entry.because();
        if (because.isEmpty()) {
            return Fact.text(entry.request());
        }
        var name = holding.range().prefixes().getFirst().toString();
        var address = holding.range().first().toString();
        return because.reversed().stream()
                .filter(reason -> mentions(reason, name) || mentions(reason, address))
                .findFirst()
                .orElse(because.getLast());
    }

    /// Whether a value of the fact has the text. No words are made for it: verifying a ledger asks
    /// this of every entry.
    private static boolean mentions(Fact fact, String text) {
        return switch (fact) {
            case Fact.Text(var own) -> own.contains(text);
            case Fact.Several(var facts) -> facts.stream().anyMatch(one -> mentions(one, text));
            case Fact.Ruled(var _, var values) -> values.values().stream().anyMatch(one -> mentions(one, text));
        };
    }
}
