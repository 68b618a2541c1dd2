package io.cadastre.cli.session;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.StoreIdentity;
import io.cadastre.registry.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Which store a ledger belongs to, where the store is elsewhere: a small file beside the ledger.
///
/// Another store, or one that is behind the ledger, does not know all holdings. Opening both detects that, from
/// the end of the ledger and one answer of the store. The file is written when it is absent, after an election,
/// and when a store is adopted.
///
/// @param store its name
/// @param term the latest known; zero if the store reports none
/// @param revisionsBefore the ledger's revisions minus the store's: how far the store was ahead before it
///     was restored
public record LedgerOrigin(String store, long term, long revisionsBefore) {

    private static final String STORE = "store ";
    private static final String TERM = "term ";
    private static final String BEFORE = "revisions-before ";

    /// The file beside a ledger.
    static Path fileBeside(Path ledger) {
        return ledger.resolveSibling(ledger.getFileName() + ".origin");
    }

    /// What is added to the store's revisions in this ledger.
    ///
    /// @throws DatastoreException if the store does not belong to the ledger, or is behind it
    static long require(Path ledger, Journal journal, StoreIdentity present) {
        check(ledger, journal, present);
        var known = find(ledger);
        if (known.isEmpty() || known.get().term != present.term()) {
            of(present, before(known)).write(ledger);
        }
        return before(known);
    }

    /// Compares, and writes nothing.
    ///
    /// @throws DatastoreException if the store does not belong to the ledger, or is behind it
    static void check(Path ledger, Journal journal, StoreIdentity present) {
        findContradiction(ledger, find(ledger), new Ledger(journal).lastRevision(), present)
                .ifPresent(sentence -> {
                    throw new DatastoreException(Kind.FOREIGN, sentence + remedy(ledger));
                });
    }

    /// What the ledger has and the store has not, as the beginning of a sentence.
    ///
    /// @param revision the newest of the ledger, by its own count
    public static Optional<String> findContradiction(
            Path ledger, Optional<LedgerOrigin> known, long revision, StoreIdentity present) {
        long reached = revision - before(known);
        if (known.isPresent() && !known.get().store.equals(present.name())) {
            return Optional.of("the ledger %s belongs to %s up to revision %d, but this is %s at revision %d"
                    .formatted(ledger, known.get().store, reached, present.name(), present.revision()));
        }
        if (reached > present.revision()) {
            return Optional.of(("the ledger %s records revision %d, but %s is at revision %d: it was restored"
                            + " from a backup or emptied")
                    .formatted(ledger, reached, present.name(), present.revision()));
        }
        if (known.isPresent() && known.get().term > present.term()) {
            return Optional.of(("the ledger %s records revision %d and term %d of %s, which is in term %d at"
                            + " revision %d: it was restored from a backup")
                    .formatted(ledger, reached, known.get().term, present.name(), present.term(), present.revision()));
        }
        return Optional.empty();
    }

    private static String remedy(Path ledger) {
        return ("; addresses that pods hold would be assigned again. Restore the newest store; or run"
                        + " 'cadastre ipam adopt', which assigns what the ledger records to its holders and"
                        + " continues with this store; or give the --data-dir of this store; or, if nothing"
                        + " that the ledger records is in use, move away %s and the files whose names begin"
                        + " with it")
                .formatted(ledger);
    }

    /// The offset for the revisions of an adopted store, so that those in the ledger continue. An interrupted
    /// adoption has the same offset when it is repeated.
    public static long revisionsBefore(Path ledger, Journal journal, StoreIdentity present) {
        return Math.max(revisionsBefore(ledger), new Ledger(journal).lastRevision() - present.revision());
    }

    /// What is added to the revisions of the store that the ledger was last compared with.
    static long revisionsBefore(Path ledger) {
        return before(find(ledger));
    }

    /// Accepts the store as it is.
    public static void accept(Path ledger, StoreIdentity present, long revisionsBefore) {
        of(present, revisionsBefore).write(ledger);
    }

    private static LedgerOrigin of(StoreIdentity store, long revisionsBefore) {
        return new LedgerOrigin(store.name(), store.term(), revisionsBefore);
    }

    private static long before(Optional<LedgerOrigin> known) {
        return known.map(LedgerOrigin::revisionsBefore).orElse(0L);
    }

    /// What is known of the store of a ledger.
    ///
    /// @throws DatastoreException if the file cannot be read
    public static Optional<LedgerOrigin> find(Path ledger) {
        var file = fileBeside(ledger);
        try {
            var lines = Files.readAllLines(file);
            var store = lines.stream().filter(line -> line.startsWith(STORE)).findFirst();
            var term = number(lines, TERM);
            var before = number(lines, BEFORE);
            if (store.isEmpty() || term.isEmpty() || before.isEmpty()) {
                throw new DatastoreException(
                        Kind.CORRUPT,
                        "%s does not name the store of the ledger; remove it, and run 'cadastre ledger verify'"
                                .formatted(file));
            }
            return Optional.of(
                    new LedgerOrigin(store.get().substring(STORE.length()), term.getAsLong(), before.getAsLong()));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, unreadable), unreadable);
        }
    }

    private static OptionalLong number(List<String> lines, String name) {
        try {
            return lines.stream()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.substring(name.length())))
                    .findFirst();
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    /// Replaces the file atomically.
    private void write(Path ledger) {
        var file = fileBeside(ledger);
        try {
            var draft =
                    Files.createTempFile(ledger.getParent(), file.getFileName().toString(), ".new");
            Files.writeString(
                    draft,
                    "%s%s%n%s%d%n%s%d%n".formatted(STORE, store, TERM, term, BEFORE, revisionsBefore),
                    StandardCharsets.UTF_8);
            try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write %s: %s".formatted(file, failed), failed);
        }
    }
}
