package io.cadastre.cli;

import io.cadastre.registry.Ledger.Verification;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

@Command(
        name = "verify",
        description = {
            "Read the whole ledger and check that nothing in it was changed.",
            "Prints the hash of the last entry: kept elsewhere, it also shows whether the newest"
                    + " entries were cut off."
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
            return switch (archive.ledger().verify()) {
                case Verification.Sound sound -> {
                    surroundings
                            .out()
                            .printf(
                                    "%s sound; the last hash is %s%n",
                                    entries(sound.entries()), sound.head());
                    yield ExitCode.DONE;
                }
                case Verification.Broken broken -> {
                    surroundings.complain(
                            "ledger entry %d in %s is not sound: %s"
                                    .formatted(broken.number(), archive.file(), broken.reason()));
                    yield ExitCode.FAILED;
                }
            };
        }
    }

    private static String entries(long count) {
        return count == 1 ? "1 entry is" : count + " entries are";
    }
}
