package io.cadastre.registry;

/// Two holders of one range at one time, by the ledger's account.
public record DoubleHolding(HoldingPeriod one, HoldingPeriod other) {

    /// A sentence without a full stop.
    public String sentence() {
        return "%s (since %s, entry %d) and %s (since %s, entry %d) hold %s at the same time"
                .formatted(
                        one.holding().holder(),
                        one.from(),
                        one.number(),
                        other.holding().holder(),
                        other.from(),
                        other.number(),
                        words(other));
    }

    private static String words(HoldingPeriod period) {
        var range = period.holding().range();
        return range.first().equals(range.last())
                ? range.first().toString()
                : range.prefixes().getFirst().toString();
    }
}
