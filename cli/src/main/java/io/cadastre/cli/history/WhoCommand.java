package io.cadastre.cli.history;

import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Format;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Moment;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.registry.DoubleHolding;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "who",
        description = {
            "Show who holds an address according to the ledger, since when and why; with --at, who"
                    + " held it at that time.",
            "Lists the pool first, then the node that has the block, then the pod."
        },
        footer = {
            "TIME is a timestamp such as 2026-01-31T12:00:00Z, or an age such as 2h (two hours ago).",
            "",
            "Examples:",
            "  cadastre who 10.244.3.7",
            "  cadastre who 10.244.3.7 --at 2026-01-31T12:00:00Z",
            "  cadastre who 10.244.3.7 --at 2h -o json"
        })
public final class WhoCommand implements Callable<Integer> {

    /// The times are not cut.
    static final int KEPT = 2;

    private final CommandContext context;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    @Parameters(paramLabel = "ADDRESS", description = "An IPv4 or IPv6 address.")
    private String address = "";

    @Option(names = "--at", paramLabel = "TIME", description = "Show the holder at this time; default: now.")
    private @Nullable String at;

    public WhoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return print(parsed(), moment(), storeOptions, context, formatOption.format());
    }

    static int print(
            Address address, Instant moment, StoreOptions storeOptions, CommandContext context, Format format) {
        try (var ledgerFile = LedgerFile.open(storeOptions, context)) {
            var found = ledgerFile.ledger().holders(address, moment, LedgerFile.writers(storeOptions, context));
            LedgerLayouts.periodsOfAddress(context.clock().instant())
                    .printFitting(context.out(), format, found.periods(), KEPT);
            if (found.periods().isEmpty()) {
                context.warn("the ledger records no holder of %s at that time".formatted(address));
            }
            TrimCommand.warn(ledgerFile.ledger(), moment, context);
            return complain(found.doubled(), context);
        }
    }

    /// Reports two holders at once, if there are any, and returns the exit code.
    static int complain(List<DoubleHolding> doubled, CommandContext context) {
        doubled.forEach(both -> context.complain(both.sentence()));
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
        var now = context.clock().instant();
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
