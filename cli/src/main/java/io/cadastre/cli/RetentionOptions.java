package io.cadastre.cli;

import io.cadastre.registry.LedgerRetention;
import io.cadastre.registry.LedgerRetention.Bound;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;

/// How much of its ledger a process keeps.
final class RetentionOptions {

    /// A ledger that is cut to less would be cut all the time.
    private static final long BYTES_MIN = 1_000_000;

    @Option(
            names = "--ledger-max-age",
            paramLabel = "DURATION",
            description = {
                "Cut off entries of the ledger that are older, for example 90d, now and then. What"
                        + " is held still stays known, and 'ledger verify' proves the cut.",
                "Default: keep all."
            })
    private @Nullable String ageMax;

    @Option(
            names = "--ledger-max-bytes",
            paramLabel = "COUNT",
            description =
                    "Cut off the oldest entries of the ledger when all take more bytes, about.")
    private @Nullable Long bytesMax;

    /// @throws UsageException if one of them makes no sense
    List<Bound> bounds() {
        var bounds = new ArrayList<Bound>();
        if (ageMax != null) {
            try {
                bounds.add(new Bound.Age(Moment.duration(ageMax)));
            } catch (IllegalArgumentException malformed) {
                throw new UsageException("--ledger-max-age: " + malformed.getMessage());
            }
        }
        if (bytesMax != null) {
            if (bytesMax < BYTES_MIN) {
                throw new UsageException(
                        "--ledger-max-bytes is at least %d, not %d".formatted(BYTES_MIN, bytesMax));
            }
            bounds.add(new Bound.Size(bytesMax));
        }
        return bounds;
    }

    static LedgerRetention begin(List<Bound> bounds, Office office) {
        var surroundings = office.surroundings();
        return new LedgerRetention(
                        office.ledger(),
                        bounds,
                        surroundings.clock(),
                        surroundings.pause(),
                        surroundings::complain)
                .begin();
    }
}
