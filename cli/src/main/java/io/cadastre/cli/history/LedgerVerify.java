package io.cadastre.cli.history;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.session.LedgerFile;
import io.cadastre.cli.session.LedgerOrigin;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.registry.Ledger.Verification;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "verify",
        description = {
            "Read the whole ledger and check that no entry was changed.",
            "Prints the hash of the last entry. Keep it elsewhere to detect whether the newest"
                    + " entries were removed.",
            "The store must be at least as new as the ledger. A store that does not answer is not compared."
        },
        footer = {"Examples:", "  cadastre ledger verify", "  cadastre ledger verify --data-dir /var/lib/cadastre"})
final class LedgerVerify implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    LedgerVerify(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (var ledgerFile = LedgerFile.open(storeOptions, context);
                var _ = Progress.show(context, () -> "reading the ledger")) {
            return switch (ledgerFile.ledger().verify(LedgerFile.writers(storeOptions, context))) {
                case Verification.Sound(long entries, var _)
                when entries == 0 && storeIsUsed() ->
                    failed("a store exists, but its ledger %s is empty: the history is lost;"
                                    .formatted(ledgerFile.file())
                            + " restore it from a backup, or give the --data-dir that has it");
                case Verification.Sound(long entries, var head) -> {
                    context.out().printf("%s sound; the last hash is %s%n", words(entries), head);
                    yield entries == 0 ? ExitCode.DONE : compare(ledgerFile);
                }
                case Verification.Doubled(long entries, var head, var doubled) -> {
                    context.out().printf("%s sound; the last hash is %s%n", words(entries), head);
                    doubled.forEach(both -> context.complain(both.sentence()));
                    yield ExitCode.FAILED;
                }
                case Verification.Broken(long number, var reason) ->
                    failed("ledger entry %d in %s is not sound: %s".formatted(number, ledgerFile.file(), reason));
            };
        }
    }

    private int compare(LedgerFile ledgerFile) {
        long newest = ledgerFile.ledger().lastRevision();
        try (var session = Session.openToLook(storeOptions, context)) {
            var store = session.datastore();
            boolean embedded = storeOptions.kind(context.environment()) == StoreOptions.Kind.EMBEDDED;
            var present = embedded
                    ? Optional.of(
                            new StoreIdentity("the store", 0, store.list("", 1).revision()))
                    : Session.fetchIdentity(store, storeOptions, context);
            return present.flatMap(found -> LedgerOrigin.findContradiction(
                            ledgerFile.file(), LedgerOrigin.find(ledgerFile.file()), newest, found))
                    .map(sentence -> failed(sentence
                            + "; 'cadastre ipam check' compares them holder by holder, and 'cadastre"
                            + " ipam adopt' continues with the store"))
                    .orElse(ExitCode.DONE);
        } catch (DatastoreException unreachable) {
            if (unreachable.kind() != DatastoreException.Kind.UNREACHABLE
                    && unreachable.kind() != DatastoreException.Kind.DEADLINE) {
                throw unreachable;
            }
            context.warn("the ledger was not compared with the store: " + unreachable.getMessage());
            return ExitCode.DONE;
        }
    }

    private int failed(String sentence) {
        context.complain(sentence);
        return ExitCode.FAILED;
    }

    private boolean storeIsUsed() {
        if (storeOptions.kind(context.environment()) != StoreOptions.Kind.EMBEDDED) {
            // Asking a store that others use too would not show whether this machine ever decided on it. A
            // process that has decided nothing leaves an empty ledger.
            return !Files.exists(LedgerFile.fileIn(storeOptions.dataDirectory(context.environment())));
        }
        if (!Session.exists(storeOptions, context)) {
            return false;
        }
        try (var session = Session.openToLook(storeOptions, context)) {
            return !session.datastore().list("", 1).documents().isEmpty();
        }
    }

    private static String words(long count) {
        return count == 1 ? "1 entry is" : count + " entries are";
    }
}
