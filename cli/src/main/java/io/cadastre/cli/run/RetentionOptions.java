package io.cadastre.cli.run;

import io.cadastre.cli.command.Moment;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.Session;
import io.cadastre.registry.LedgerRetention;
import io.cadastre.registry.LedgerRetention.Bound;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for how much of its ledger a process keeps.
final class RetentionOptions {

    /// A ledger with a lower limit would be trimmed all the time.
    private static final long BYTES_MIN = 1_000_000;

    @Option(
            names = "--ledger-max-age",
            paramLabel = "DURATION",
            description = {
                "Periodically remove ledger entries older than this, for example 90d. Current holders"
                        + " stay on record, and 'ledger verify' verifies the trim.",
                "Default: keep all."
            })
    private @Nullable String ageMax;

    @Option(
            names = "--ledger-max-bytes",
            paramLabel = "COUNT",
            description = "Remove the oldest ledger entries when the ledger exceeds about this many bytes.")
    private @Nullable Long bytesMax;

    /// @throws UsageException if one of them is invalid
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
                        "--ledger-max-bytes must be at least %d, not %d".formatted(BYTES_MIN, bytesMax));
            }
            bounds.add(new Bound.Size(bytesMax));
        }
        return bounds;
    }

    static LedgerRetention begin(List<Bound> bounds, Session session) {
        var context = session.context();
        return new LedgerRetention(session.ledger(), bounds, context.clock(), context.pause(), context::complain)
                .begin();
    }
}
