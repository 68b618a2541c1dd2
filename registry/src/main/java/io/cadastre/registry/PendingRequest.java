package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.NotReadException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A request on its way through the registrar. The thread that leads writes to it; the thread that
/// asked waits on it.
final class PendingRequest<V, C extends Change, O> {

    /// A request is saved in at most this many parts. Each writes something, so an engine that needs
    /// more goes in circles.
    private static final int PARTS_MAX = 10_000;

    private final Request<V, C, O> request;

    /// True when the thread that asked must lead, false when the request has ended.
    private final CompletableFuture<Boolean> turn = new CompletableFuture<>();

    private final CompletableFuture<O> outcome = new CompletableFuture<>();

    private @Nullable Proposed<C, O> proposed;

    /// What was proposed and may or may not have been applied, without the ledger telling of it, oldest
    /// first.
    private final List<Proposed<C, O>> lost = new ArrayList<>();

    /// What attempts whose answers were lost have granted and returned, by what was read since.
    private List<Holding> foundGranted = List.of();

    private List<Holding> foundReturned = List.of();

    /// Whether an attempt was written in part, or may have been.
    private boolean perhapsDone;

    /// What was saved, oldest first.
    private final List<Decision<C, O>> parts = new ArrayList<>();

    /// What the engine has to know of, oldest first.
    private final List<Decision<C, O>> earlier = new ArrayList<>();

    /// What interrupted attempts at it have written, which the ledger already records.
    private final List<PartialCommit> told = new ArrayList<>();

    private String lastFailure = "nothing was tried";

    /// How many attempts came to nothing since it was last saved.
    private int failedAttempts;

    /// A decision and how many of its changes are to be saved.
    ///
    /// @param returned what it takes back
    private record Proposed<C extends Change, O>(Decision<C, O> decision, int changeCount, List<Holding> returned) {

        Proposed(Decision<C, O> decision, int changeCount) {
            this(decision, changeCount, returnedBy(decision.changes().subList(0, changeCount)));
        }

        /// The same, of which only this was there to be taken back.
        Proposed<C, O> returning(List<Holding> held) {
            return new Proposed<>(decision, changeCount, held);
        }

        List<C> changes() {
            return decision.changes().subList(0, changeCount);
        }

        boolean part() {
            return changeCount < decision.changes().size();
        }

        List<Holding> granted() {
            return grantedBy(changes());
        }
    }

    PendingRequest(Request<V, C, O> request) {
        this.request = request;
    }

    String words() {
        return request.words();
    }

    /// @param book says what an operator should read beside the reasons
    void decide(Page<V, C> page, Book<V, C> book) {
        var decided = request.law().decide(page.view(), List.copyOf(earlier));
        var fresh = decided.withRemarks(book.remarks(decided.changes()));
        proposed = new Proposed<>(fresh, fresh.changes().size());
        foundGranted = grantedBefore(page);
        foundReturned = returnedBefore(page);
    }

    /// Whether it comes to something that refuses anything.
    boolean refuses() {
        return decision().outcome() instanceof MayRefuse outcome && outcome.refuses();
    }

    /// The changes that are to be saved.
    List<C> changes() {
        return proposed().changes();
    }

    /// Limits the save to the last seam with at most `changesMax` changes before it. Returns whether
    /// there is one.
    boolean cut(int changesMax) {
        var decision = decision();
        int count = decision.changesUpToSeam(changesMax);
        if (count == 0) {
            return false;
        }
        proposed = new Proposed<>(decision, count);
        return true;
    }

    /// Whether there is more to be done than is going to be saved.
    boolean part() {
        return proposed().part();
    }

    /// The part that was proposed was saved, and the rest is to be decided.
    void keepPart() {
        if (parts.size() == PARTS_MAX) {
            throw new IllegalStateException("%s is not done after %d parts".formatted(words(), PARTS_MAX));
        }
        var saved = decision().savedPart(proposed().changeCount());
        parts.add(saved);
        earlier.add(saved);
        // Whatever of it had landed is in the ledger by now.
        lost.clear();
        perhapsDone = false;
        failedAttempts = 0;
    }

    int failedAttempts() {
        return failedAttempts;
    }

    void met(Commit.Conflict conflict) {
        failedAttempts++;
        lastFailure = "the last one met a conflict at write %d (%s)".formatted(conflict.index(), conflict.kind());
    }

    /// @param recorded whether the ledger records all that was done of it
    /// @param page what it was decided on
    void met(Commit.Unknown unknown, boolean recorded, Page<V, C> page) {
        failedAttempts++;
        lastFailure = "the answer to the last one was lost (%s)".formatted(unknown.reason());
        perhapsDone = true;
        if (!recorded) {
            lost.add(proposed()
                    .returning(proposed().returned().stream()
                            .filter(holding -> read(page, holding))
                            .toList()));
        }
        earlier.add(decision());
    }

    /// Whether the book as it was read showed that this was held. What was only to be tried was not read.
    private boolean read(Page<V, C> page, Holding holding) {
        try {
            return page.shows(holding);
        } catch (NotReadException notRead) {
            return false;
        }
    }

    /// The ledger records this.
    void told(List<PartialCommit> half) {
        told.addAll(half);
    }

    /// What the ledger records of it.
    List<Ledger.Entry> entries(Instant at, int attempt, long revision) {
        var made = decision();
        var granted = new ArrayList<>(proposed().granted());
        var returned = new ArrayList<>(proposed().returned());
        granted.addAll(PartialCommit.withoutGranted(foundGranted, told));
        returned.addAll(PartialCommit.withoutReturned(foundReturned, told));
        return LargeEntry.fitting(new Ledger.Entry(
                at,
                request.words(),
                part()
                        ? Fact.text("saved a part, %d of %d changes"
                                .formatted(
                                        proposed().changeCount(), made.changes().size()))
                        : Fact.of(made.outcome()),
                attempt,
                revision,
                granted,
                returned,
                made.because().stream().map(Fact::of).toList()));
    }

    /// What the attempts whose answers were lost wanted to grant, and what the book shows. The same
    /// outcome of the request is not evidence: a refusal would be the same if nothing was written.
    private List<Holding> grantedBefore(Page<V, C> page) {
        return lost.stream()
                .flatMap(one -> one.changes().stream())
                .flatMap(change -> change.granted().stream().filter(holding -> page.showsGrant(change, holding)))
                .distinct()
                .toList();
    }

    /// What the attempt whose answer was lost has returned, if the request comes to the same again, nothing
    /// is left to be done of it, and the book does not show it any more.
    private List<Holding> returnedBefore(Page<V, C> page) {
        var made = decision();
        var granted = grantedBy(made.changes());
        var returned = returnedBy(made.changes());
        boolean wholly = granted.isEmpty() && returned.isEmpty();
        return lost.reversed().stream()
                .filter(one -> one.decision().outcome().equals(made.outcome()))
                .filter(one -> wholly
                        || (one.part()
                                && Collections.disjoint(one.granted(), granted)
                                && Collections.disjoint(one.returned(), returned)))
                .findFirst()
                .map(Proposed::returned)
                .orElse(List.of())
                .stream()
                .filter(holding -> !page.shows(holding))
                .toList();
    }

    private static <C extends Change> List<Holding> grantedBy(List<C> changes) {
        return changes.stream().flatMap(change -> change.granted().stream()).toList();
    }

    private static <C extends Change> List<Holding> returnedBy(List<C> changes) {
        return changes.stream().flatMap(change -> change.returned().stream()).toList();
    }

    void lead() {
        turn.complete(true);
    }

    void settle() {
        outcome.complete(decision().outcome());
        turn.complete(false);
    }

    /// Ends in a failure. If an answer was lost before, it is not known that nothing was done.
    void fail(Throwable failure) {
        if (!(failure instanceof RuntimeException)) {
            end(failure);
        } else if (!parts.isEmpty()) {
            endInParts(failure.getMessage(), failure);
        } else if (perhapsDone) {
            end(UnsettledException.perhapsDone(
                    "%s: the answer to an attempt was lost, so it may be done; then: %s"
                            .formatted(words(), failure.getMessage()),
                    failure));
        } else {
            end(failure);
        }
    }

    /// Ends after parts of it were saved.
    private void endInParts(@Nullable String why, @Nullable Throwable cause) {
        var sentence = "%s: it was saved in part, and the rest was not: %s".formatted(words(), why);
        request.remainder()
                .outcome(List.copyOf(parts), sentence)
                .ifPresentOrElse(
                        remainder -> {
                            outcome.complete(remainder);
                            turn.complete(false);
                        },
                        () -> end(UnsettledException.perhapsDone(sentence, cause)));
    }

    private void end(Throwable failure) {
        outcome.completeExceptionally(failure);
        turn.complete(false);
    }

    /// Ends served and saved, but not in the ledger.
    void failUnrecorded(UnrecordedException failure) {
        end(failure);
    }

    void giveUp() {
        var why = "%d attempts did not settle it; %s".formatted(failedAttempts, lastFailure);
        var sentence = "%s: %s".formatted(words(), why);
        if (!parts.isEmpty()) {
            endInParts(why, null);
        } else if (perhapsDone) {
            end(UnsettledException.perhapsDone(sentence, null));
        } else {
            end(new UnsettledException(sentence));
        }
    }

    /// Waits until this request has ended or its thread must lead.
    boolean awaitTurn() {
        return turn.join();
    }

    O outcome() {
        try {
            return outcome.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof Error cause) {
                throw cause;
            }
            throw failed;
        }
    }

    Decision<C, O> decision() {
        return proposed().decision();
    }

    private Proposed<C, O> proposed() {
        if (proposed == null) {
            throw new IllegalStateException(words() + " was not decided");
        }
        return proposed;
    }
}
