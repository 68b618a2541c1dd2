package io.cadastre.cli.history;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Moment;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Ledger.Retention;
import io.cadastre.registry.Ledger.Trim;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "trim",
        description = {
            "Remove the oldest entries of the ledger. Current holders stay on record, with start time and reason.",
            "The remaining entries keep their hashes, and 'ledger verify' verifies the trim. New"
                    + " entries reuse the space; the file does not shrink."
        },
        footer = {
            "Examples:",
            "  cadastre ledger trim --older-than 90d --dry-run",
            "  cadastre ledger trim --max-bytes 100000000"
        })
final class TrimCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Bound bound = new Bound();

    @Option(names = "--dry-run", description = "Show what would be removed, without changing anything.")
    private boolean dryRun;

    static final class Bound {

        @Option(
                names = "--older-than",
                paramLabel = "TIME",
                description = "Remove entries older than this: an age such as 90d, or a time such as"
                        + " 2026-01-31T12:00:00Z.")
        private @Nullable String olderThan;

        @Option(
                names = "--max-bytes",
                paramLabel = "COUNT",
                description = "Remove the oldest entries until the rest take about this many bytes.")
        private @Nullable Long maxBytes;
    }

    TrimCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var retention = retention();
        try (var ledgerFile = dryRun
                        ? LedgerFile.open(storeOptions, context)
                        : LedgerFile.openToWrite(storeOptions, context);
                var _ = Progress.show(context, () -> "reading the ledger")) {
            var ledger = ledgerFile.ledger();
            var plan = ledger.planTrim(retention);
            if (plan.isEmpty()) {
                context.out().println("nothing to remove");
                return ExitCode.DONE;
            }
            if (!dryRun) {
                ledger.trim(plan.get(), context.clock().instant());
            }
            context.out().println(words(plan.get()));
            return ExitCode.DONE;
        }
    }

    private String words(Trim plan) {
        return "%s entries %d to %d, about %d bytes, up to %s; %d entries and %d current tenures remain"
                .formatted(
                        dryRun ? "would remove" : "removed",
                        plan.first(),
                        plan.last(),
                        plan.bytes(),
                        plan.at(),
                        plan.left(),
                        plan.open().size());
    }

    private Retention retention() {
        if (bound.maxBytes != null) {
            if (bound.maxBytes < 0) {
                throw new UsageException("--max-bytes must be at least 0, not %d".formatted(bound.maxBytes));
            }
            return new Retention.Within(bound.maxBytes);
        }
        try {
            return new Retention.NotBefore(Moment.parse(
                    String.valueOf(bound.olderThan), context.clock().instant()));
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--older-than: " + malformed.getMessage());
        }
    }

    /// Warns if the ledger was trimmed and is incomplete for a time.
    static void warn(Ledger ledger, Instant of, CommandContext context) {
        ledger.trimmedUntil()
                .filter(of::isBefore)
                .ifPresent(until ->
                        context.warn("the ledger was trimmed: before %s it records only tenures that lasted until then"
                                .formatted(until)));
    }
}
