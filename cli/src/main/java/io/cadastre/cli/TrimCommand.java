package io.cadastre.cli;

import io.cadastre.registry.Ledger;
import io.cadastre.registry.Ledger.Retention;
import io.cadastre.registry.Ledger.Trim;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.time.Instant;
import java.util.concurrent.Callable;

@Command(
        name = "trim",
        description = {
            "Cut off the oldest entries of the ledger. What is held still is kept, with its"
                    + " beginning and its reason, so who holds an address stays known.",
            "The rest stays as it is, with its hashes, and 'ledger verify' proves the cut. The room"
                    + " is used again by new entries; the file does not become smaller."
        },
        footer = {
            "Examples:",
            "  cadastre ledger trim --older-than 90d --dry-run",
            "  cadastre ledger trim --max-bytes 100000000"
        })
final class TrimCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Bound bound = new Bound();

    @Option(names = "--dry-run", description = "Say what would be cut off, and change nothing.")
    private boolean dryRun;

    static final class Bound {

        @Option(
                names = "--older-than",
                paramLabel = "TIME",
                description = "Cut off what is older: 90d, or a time like 2026-01-31T12:00:00Z.")
        private @Nullable String olderThan;

        @Option(
                names = "--max-bytes",
                paramLabel = "COUNT",
                description = "Cut off the oldest until the others take no more, about.")
        private @Nullable Long maxBytes;
    }

    TrimCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var retention = retention();
        try (var archive =
                        dryRun
                                ? Archive.open(storeOptions, surroundings)
                                : Archive.openToWrite(storeOptions, surroundings);
                var _ = Progress.show(surroundings, () -> "reading the ledger")) {
            var ledger = archive.ledger();
            var plan = ledger.planTrim(retention);
            if (plan.isEmpty()) {
                surroundings.out().println("nothing to cut off");
                return ExitCode.DONE;
            }
            if (!dryRun) {
                ledger.trim(plan.get(), surroundings.clock().instant());
            }
            surroundings.out().println(words(plan.get()));
            return ExitCode.DONE;
        }
    }

    private String words(Trim plan) {
        return "%s entries %d to %d, about %d bytes, of times until %s; %d entries stay, and %d tenures that last"
                .formatted(
                        dryRun ? "would cut off" : "cut off",
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
                throw new UsageException(
                        "--max-bytes is at least 0, not %d".formatted(bound.maxBytes));
            }
            return new Retention.Within(bound.maxBytes);
        }
        try {
            return new Retention.NotBefore(
                    Moment.parse(String.valueOf(bound.olderThan), surroundings.clock().instant()));
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--older-than: " + malformed.getMessage());
        }
    }

    /// Says so when the ledger was trimmed and cannot tell all of a time.
    static void warn(Ledger ledger, Instant of, Surroundings surroundings) {
        ledger.trimmedUntil()
                .filter(of::isBefore)
                .ifPresent(
                        until ->
                                surroundings.warn(
                                        "the ledger was trimmed: of times before %s it knows only what lasted until then"
                                                .formatted(until)));
    }
}
