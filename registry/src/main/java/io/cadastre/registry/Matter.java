package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// A request on its way through the registrar. The thread that leads writes to it; the thread that
/// asked waits on it.
final class Matter<V, C extends Change, O> {

    private final Request<V, C, O> request;

    /// True when the thread that asked must lead, false when the request has ended.
    private final CompletableFuture<Boolean> turn = new CompletableFuture<>();

    private final CompletableFuture<O> outcome = new CompletableFuture<>();

    private @Nullable Decision<C, O> decision;

    /// The decisions whose commits may or may not have been applied, oldest first.
    private final List<Decision<C, O>> lost = new ArrayList<>();

    private String lastSetback = "nothing was tried";

    Matter(Request<V, C, O> request) {
        this.request = request;
    }

    String words() {
        return request.words();
    }

    List<C> decide(V view) {
        var fresh = request.law().decide(view, List.copyOf(lost));
        decision = fresh;
        return fresh.changes();
    }

    void met(Commit.Conflict conflict) {
        lastSetback =
                "the last one met a conflict at write %d (%s)"
                        .formatted(conflict.index(), conflict.kind());
    }

    void met(Commit.Unknown unknown) {
        lastSetback = "the answer to the last one was lost (%s)".formatted(unknown.reason());
        lost.add(decision());
    }

    /// What the ledger is to tell of it.
    ///
    /// @param told what attempts at it have written that stopped half way, which the ledger tells already
    Ledger.Entry entry(Instant at, int attempt, long revision, List<HalfDone> told) {
        var made = decision();
        var granted = granted(made);
        var returned = returned(made);
        var served = servedBefore(made);
        if (granted.isEmpty() && returned.isEmpty() && served.isPresent()) {
            granted = HalfDone.withoutGranted(granted(served.get()), told);
            returned = HalfDone.withoutReturned(returned(served.get()), told);
        }
        return new Ledger.Entry(
                at,
                request.words(),
                String.valueOf(made.outcome()),
                attempt,
                revision,
                granted,
                returned,
                made.because().stream().map(Because::sentence).toList());
    }

    /// A request that is found served was served by the attempt whose answer was lost, and what that
    /// changed belongs into the ledger.
    private Optional<Decision<C, O>> servedBefore(Decision<C, O> made) {
        return lost.reversed().stream()
                .filter(earlier -> earlier.outcome().equals(made.outcome()))
                .findFirst();
    }

    private List<Holding> granted(Decision<C, O> decided) {
        return decided.changes().stream().flatMap(change -> change.granted().stream()).toList();
    }

    private List<Holding> returned(Decision<C, O> decided) {
        return decided.changes().stream().flatMap(change -> change.returned().stream()).toList();
    }

    void lead() {
        turn.complete(true);
    }

    void settle() {
        outcome.complete(decision().outcome());
        turn.complete(false);
    }

    /// Ends in a failure. If an answer was lost before, nobody knows that nothing was done.
    void fail(Throwable failure) {
        boolean unsure = !lost.isEmpty() && failure instanceof RuntimeException;
        outcome.completeExceptionally(
                unsure
                        ? UnsettledException.perhapsDone(
                                "%s: the answer to an attempt was lost, so it may be done; then: %s"
                                        .formatted(words(), failure.getMessage()),
                                failure)
                        : failure);
        turn.complete(false);
    }

    /// Ends served and saved, but not in the ledger.
    void failUnrecorded(UnrecordedException failure) {
        outcome.completeExceptionally(failure);
        turn.complete(false);
    }

    void giveUp(int attempts) {
        var sentence =
                "%s: %d attempts did not settle it; %s".formatted(words(), attempts, lastSetback);
        outcome.completeExceptionally(
                lost.isEmpty()
                        ? new UnsettledException(sentence)
                        : UnsettledException.perhapsDone(sentence, null));
        turn.complete(false);
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
