package io.cadastre.cli;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.registry.Ledger.Verification;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.Callable;

@Command(
        name = "verify",
        description = {
            "Read the whole ledger and check that nothing in it was changed.",
            "Prints the hash of the last entry: kept elsewhere, it also shows whether the newest"
                    + " entries were cut off.",
            "The store must have come as far as the ledger tells. One that does not answer is not"
                    + " compared."
        },
        footer = {
            "Examples:",
            "  cadastre ledger verify",
            "  cadastre ledger verify --data-dir /var/lib/cadastre"
        })
final class LedgerVerify implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    LedgerVerify(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var archive = Archive.open(storeOptions, surroundings);
                var _ = Progress.show(surroundings, () -> "reading the ledger")) {
            return switch (archive.ledger().verify(Archive.writers(storeOptions, surroundings))) {
                case Verification.Sound(long entries, var _) when entries == 0 && storeIsUsed() ->
                        failed(
                                "there is a store and nothing in its ledger %s: the history is gone;"
                                                .formatted(archive.file())
                                        + " restore it from a backup, or name the --data-dir that"
                                        + " has it");
                case Verification.Sound(long entries, var head) -> {
                    surroundings
                            .out()
                            .printf("%s sound; the last hash is %s%n", words(entries), head);
                    yield entries == 0 ? ExitCode.DONE : compare(archive);
                }
                case Verification.Doubled(long entries, var head, var doubled) -> {
                    surroundings
                            .out()
                            .printf("%s sound; the last hash is %s%n", words(entries), head);
                    doubled.forEach(both -> surroundings.complain(both.sentence()));
                    yield ExitCode.FAILED;
                }
                case Verification.Broken(long number, var reason) ->
                        failed(
                                "ledger entry %d in %s is not sound: %s"
                                        .formatted(number, archive.file(), reason));
            };
        }
    }

    private int compare(Archive archive) {
        long newest = archive.ledger().lastRevision();
        try (var office = Office.openToLook(storeOptions, surroundings)) {
            var store = office.datastore();
            boolean embedded =
                    storeOptions.kind(surroundings.environment()) == StoreOptions.Kind.EMBEDDED;
            var present =
                    embedded
                            ? Optional.of(
                                    new StoreIdentity("the store", 0, store.list("", 1).revision()))
                            : Office.fetchIdentity(store, storeOptions, surroundings);
            return present.flatMap(
                            found ->
                                    LedgerOrigin.findContradiction(
                                            archive.file(),
                                            LedgerOrigin.find(archive.file()),
                                            newest,
                                            found))
                    .map(
                            sentence ->
                                    failed(
                                            sentence
                                                    + "; 'cadastre ipam check' compares them holder"
                                                    + " by holder, and 'cadastre ipam adopt' goes"
                                                    + " on with the store"))
                    .orElse(ExitCode.DONE);
        } catch (DatastoreException unreachable) {
            if (unreachable.kind() != DatastoreException.Kind.UNREACHABLE
                    && unreachable.kind() != DatastoreException.Kind.DEADLINE) {
                throw unreachable;
            }
            surroundings.warn(
                    "the ledger was not compared with the store: " + unreachable.getMessage());
            return ExitCode.DONE;
        }
    }

    private int failed(String sentence) {
        surroundings.complain(sentence);
        return ExitCode.FAILED;
    }

    private boolean storeIsUsed() {
        if (storeOptions.kind(surroundings.environment()) != StoreOptions.Kind.EMBEDDED) {
            // Asking a store that others use too would not tell whether this machine ever did. A
            // process
            // that has decided nothing leaves an empty ledger.
            return !Files.exists(
                    Archive.fileIn(storeOptions.dataDirectory(surroundings.environment())));
        }
        if (!Office.exists(storeOptions, surroundings)) {
            return false;
        }
        try (var office = Office.openToLook(storeOptions, surroundings)) {
            return !office.datastore().list("", 1).documents().isEmpty();
        }
    }

    private static String words(long count) {
        return count == 1 ? "1 entry is" : count + " entries are";
    }
}
