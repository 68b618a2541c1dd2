package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.MayRefuse;
import java.time.Instant;
import java.util.ArrayList;
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

    /// The last decision.
    private @Nullable Decision<C, O> decision;

    /// How many changes of it are to be saved.
    private int changeCount;

    private final LostAttempts<V, C, O> lost = new LostAttempts<>();

    private boolean begun;

    /// Whether an attempt was written in part, or may have been.
    private boolean perhapsDone;

    /// What was saved, oldest first.
    private final List<Decision<C, O>> parts = new ArrayList<>();

    /// What the engine has to know of, oldest first.
    private final List<Decision<C, O>> earlier = new ArrayList<>();

    private String lastFailure = "nothing was tried";

    /// How many attempts came to nothing since it was last saved.
    private int failedAttempts;

    PendingRequest(Request<V, C, O> request) {
        this.request = request;
    }

    String words() {
        return request.words();
    }

    /// @param book says what an operator should read beside the reasons
    void decide(Page<V, C> page, Book<V, C> book) {
        if (!begun) {
            begun = true;
            request.listeners().forEach(RequestListener::begun);
        }
        var decided = request.law().decide(page.view(), List.copyOf(earlier));
        var fresh = decided.withRemarks(book.remarks(decided.changes()));
        decision = fresh;
        changeCount = fresh.changes().size();
        lost.look(page, fresh);
    }

    /// Whether it comes to something that refuses anything.
    boolean refuses() {
        return decision().outcome() instanceof MayRefuse outcome && outcome.refuses();
    }

    /// The changes that are to be saved.
    List<C> changes() {
        return decision().changes().subList(0, changeCount);
    }

    /// Limits the save to the last seam with at most `changesMax` changes before it. Returns whether
    /// there is one.
    boolean cut(int changesMax) {
        int count = decision().changesUpToSeam(changesMax);
        if (count == 0) {
            return false;
        }
        changeCount = count;
        return true;
    }

    /// Whether there is more to be done than is going to be saved.
    boolean part() {
        return changeCount < decision().changes().size();
    }

    /// The part that was proposed was saved, and the rest is to be decided.
    void keepPart() {
        if (parts.size() == PARTS_MAX) {
            throw new IllegalStateException("%s is not done after %d parts".formatted(words(), PARTS_MAX));
        }
        var saved = decision().savedPart(changeCount);
        parts.add(saved);
        earlier.add(saved);
        // Whatever of it was applied is in the ledger by now.
        lost.clear();
        perhapsDone = false;
        failedAttempts = 0;
    }

    int failedAttempts() {
        return failedAttempts;
    }

    void met(Commit.Conflict conflict) {
        failedAttempts++;
        request.listeners().forEach(RequestListener::conflicted);
        lastFailure = "the last one met a conflict at write %d (%s)".formatted(conflict.index(), conflict.kind());
    }

    /// @param half what is known to be written of it
    /// @param recorded whether the ledger records all that was done of it
    /// @param page what it was decided on
    void met(Commit.Unknown unknown, List<PartialCommit> half, boolean recorded, Page<V, C> page) {
        failedAttempts++;
        lastFailure = (PartialCommit.refused(half)
                        ? "the last one was written in part (%s)"
                        : "the answer to the last one was lost (%s)")
                .formatted(unknown.reason());
        perhapsDone = true;
        if (!recorded) {
            lost.add(decision(), changes(), page);
        }
        earlier.add(decision());
    }

    /// The ledger records this.
    void told(List<PartialCommit> half) {
        lost.addRecorded(half);
    }

    /// What the ledger records of it.
    List<Ledger.Entry> entries(Instant at, int attempt, long revision) {
        var made = decision();
        var granted = new ArrayList<>(LostAttempts.grantedBy(changes()));
        var returned = new ArrayList<>(LostAttempts.returnedBy(changes()));
        granted.addAll(lost.granted());
        returned.addAll(lost.returned());
        return LargeEntry.fitting(new Ledger.Entry(
                at,
                request.words(),
                part()
                        ? Fact.text("saved a part, %d of %d changes"
                                .formatted(changeCount, made.changes().size()))
                        : Fact.of(made.outcome()),
                attempt,
                revision,
                granted,
                returned,
                made.because().stream().map(Fact::of).toList()));
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
                    "%s: an attempt was written in part, or its answer was lost, so it may be done; then: %s"
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
            end(UnsettledException.perhapsDone(sentence, null).because(UnsettledException.Reason.ATTEMPTS));
        } else {
            end(new UnsettledException(sentence).because(UnsettledException.Reason.ATTEMPTS));
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
        if (decision == null) {
            throw new IllegalStateException(words() + " was not decided");
        }
        return decision;
    }
}
