package io.cadastre.cli;

import io.cadastre.address.Address;
import io.cadastre.registry.DoubleHolding;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "who",
        description = {
            "Show who holds an address by the ledger, since when and why; with --at, who held it"
                    + " then.",
            "The pool comes first, then the node that has the block, then the pod."
        },
        footer = {
            "A time is written like 2026-01-31T12:00:00Z, or 2h for two hours ago.",
            "",
            "Examples:",
            "  cadastre who 10.244.3.7",
            "  cadastre who 10.244.3.7 --at 2026-01-31T12:00:00Z",
            "  cadastre who 10.244.3.7 --at 2h -o json"
        })
final class WhoCommand implements Callable<Integer> {

    /// The times are not cut.
    static final int KEPT = 2;

    private final Surroundings surroundings;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    @Parameters(paramLabel = "ADDRESS", description = "An IPv4 or IPv6 address.")
    private String address = "";

    @Option(names = "--at", paramLabel = "TIME", description = "Who held it then; default now.")
    private @Nullable String at;

    WhoCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return print(parsed(), moment(), storeOptions, surroundings, formatOption.format());
    }

    static int print(
            Address address,
            Instant moment,
            StoreOptions storeOptions,
            Surroundings surroundings,
            Format format) {
        try (var archive = Archive.open(storeOptions, surroundings)) {
            var found =
                    archive.ledger()
                            .holders(address, moment, Archive.writers(storeOptions, surroundings));
            LedgerLayouts.periodsOfAddress(surroundings.clock().instant())
                    .printFitting(surroundings.out(), format, found.periods(), KEPT);
            if (found.periods().isEmpty()) {
                surroundings.warn("by the ledger %s has no holder at that time".formatted(address));
            }
            TrimCommand.warn(archive.ledger(), moment, surroundings);
            return complain(found.doubled(), surroundings);
        }
    }

    /// Tells of two holders, if there are, and how the command ends.
    static int complain(List<DoubleHolding> doubled, Surroundings surroundings) {
        doubled.forEach(both -> surroundings.complain(both.sentence()));
        return doubled.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Address parsed() {
        try {
            return Address.parse(address).unmapped();
        } catch (IllegalArgumentException malformed) {
            throw new UsageException(String.valueOf(malformed.getMessage()));
        }
    }

    private Instant moment() {
        var now = surroundings.clock().instant();
        if (at == null) {
            return now;
        }
        try {
            return Moment.parse(at, now);
        } catch (IllegalArgumentException malformed) {
            throw new UsageException("--at: " + malformed.getMessage());
        }
    }
}
