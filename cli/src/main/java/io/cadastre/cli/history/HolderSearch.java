package io.cadastre.cli.history;

import io.cadastre.address.Address;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Format;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Holding;
import io.cadastre.registry.DoubleHolding;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.survey.StoreSurvey;
import java.time.Instant;
import java.util.List;

/// The question who holds an address, or held it.
record HolderSearch(Address address, StoreOptions options, CommandContext context) {

    /// The times are not cut.
    static final int KEPT = 2;

    /// Prints the holders at a time, by the ledger.
    int printAt(Instant moment, Format format) {
        try (var ledgerFile = LedgerFile.open(options, context)) {
            var found = recorded(ledgerFile.ledger(), moment);
            print(HolderRow.of(found.periods()), format);
            if (found.periods().isEmpty()) {
                context.warn("the ledger records no holder of %s at that time".formatted(address));
            }
            TrimCommand.warn(ledgerFile.ledger(), moment, context);
            return complain(found.doubled(), context);
        }
    }

    /// Prints the holders now: by the store, with what the ledger knows of them.
    ///
    /// @param beside holdings that are stored elsewhere
    int printNow(List<Holding> beside, Format format) {
        var now = context.clock().instant();
        if (beside.isEmpty() && !Session.exists(options, context)) {
            return printAt(now, format);
        }
        StoreSurvey.AddressHolders stored;
        try (var session = Session.openToLook(options, context)) {
            stored = StoreSurvey.holdersOf(session.datastore(), address, beside);
        } catch (DatastoreException failed) {
            context.complain("%s; the ledger alone answers".formatted(failed.getMessage()));
            printAt(now, format);
            return ExitCode.FAILED;
        }
        try (var ledgerFile = LedgerFile.open(options, context)) {
            var found = recorded(ledgerFile.ledger(), now);
            var rows = HolderRow.of(stored.holders(), found.periods());
            print(rows, format);
            if (rows.isEmpty()) {
                context.warn("neither the store nor the ledger records a holder of %s".formatted(address));
            }
            stored.unread().forEach(context::warn);
            stored.doubled().forEach(context::complain);
            return Math.max(
                    complain(found.doubled(), context), stored.doubled().isEmpty() ? ExitCode.DONE : ExitCode.FAILED);
        }
    }

    private Ledger.Periods recorded(Ledger ledger, Instant moment) {
        return ledger.holders(address, moment, LedgerFile.writers(options, context));
    }

    private void print(List<HolderRow> rows, Format format) {
        LedgerLayouts.holdersOfAddress(context.clock().instant()).printFitting(context.out(), format, rows, KEPT);
    }

    /// Reports two holders at once, if there are any, and returns the exit code.
    static int complain(List<DoubleHolding> doubled, CommandContext context) {
        doubled.forEach(both -> context.complain(both.sentence()));
        return doubled.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
