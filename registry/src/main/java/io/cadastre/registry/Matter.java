package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Holding;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// A request on its way through the registrar. The thread that leads writes to it; the thread that
/// asked waits on it.
final class Matter<V, C extends Change, O> {

    /// A request is saved in so many parts. Each writes something, so an engine that needs more goes in
    /// circles.
    private static final int PARTS_MAX = 10_000;

    private final Request<V, C, O> request;

    /// True when the thread that asked must lead, false when the request has ended.
    private final CompletableFuture<Boolean> turn = new CompletableFuture<>();

    private final CompletableFuture<O> outcome = new CompletableFuture<>();

    private @Nullable Proposed<C, O> proposed;

    /// What was proposed and may or may not have been applied, oldest first.
    private final List<Proposed<C, O>> lost = new ArrayList<>();

    /// What was saved, oldest first.
    private final List<Decision<C, O>> parts = new ArrayList<>();

    /// What the engine has to know of, oldest first.
    private final List<Decision<C, O>> earlier = new ArrayList<>();

    private String lastSetback = "nothing was tried";

    /// A decision and how many of its changes are to be saved.
    private record Proposed<C extends Change, O>(Decision<C, O> decision, int changeCount) {

        List<C> changes() {
            return decision.changes().subList(0, changeCount);
        }

        boolean part() {
            return changeCount < decision.changes().size();
        }

        List<Holding> granted() {
            return grantedBy(changes());
        }

        List<Holding> returned() {
            return returnedBy(changes());
        }
    }

    Matter(Request<V, C, O> request) {
        this.request = request;
    }

    String words() {
        return request.words();
    }

    void decide(V view) {
        var fresh = request.law().decide(view, List.copyOf(earlier));
        proposed = new Proposed<>(fresh, fresh.changes().size());
    }

    /// The changes that are to be saved.
    List<C> changes() {
        return proposed().changes();
    }

    /// Is to be saved up to the last seam with no more than so many changes. Tells whether there is one.
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
            throw new IllegalStateException(
                    "%s is not done after %d parts".formatted(words(), PARTS_MAX));
        }
        var saved = decision().savedPart(proposed().changeCount());
        parts.add(saved);
        earlier.add(saved);
        // Whatever of it had landed is in the ledger by now.
        lost.clear();
    }

    void met(Commit.Conflict conflict) {
        lastSetback =
                "the last one met a conflict at write %d (%s)"
                        .formatted(conflict.index(), conflict.kind());
    }

    void met(Commit.Unknown unknown) {
        lastSetback = "the answer to the last one was lost (%s)".formatted(unknown.reason());
        lost.add(proposed());
        earlier.add(decision());
    }

    /// What the ledger is to tell of it.
    ///
    /// @param told what attempts at it have written that stopped half way, which the ledger tells already
    List<Ledger.Entry> entries(Instant at, int attempt, long revision, List<HalfDone> told) {
        var made = decision();
        var granted = new ArrayList<>(proposed().granted());
        var returned = new ArrayList<>(proposed().returned());
        servedBefore()
                .ifPresent(
                        served -> {
                            granted.addAll(HalfDone.withoutGranted(served.granted(), told));
                            returned.addAll(HalfDone.withoutReturned(served.returned(), told));
                        });
        return new LargeEntry(
                        at,
                        request.words(),
                        part()
                                ? "saved a part, %d of %d changes"
                                        .formatted(proposed().changeCount(), made.changes().size())
                                : String.valueOf(made.outcome()),
                        attempt,
                        revision,
                        granted,
                        returned,
                        made.because().stream().map(Because::sentence).toList())
                .entries();
    }

    /// A request that is found served was served by the attempt whose answer was lost, and what that
    /// changed belongs into the ledger. It comes to the same as before, and nothing is left to be done
    /// of what was lost.
    private Optional<Proposed<C, O>> servedBefore() {
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        var made = decision();
        var granted = grantedBy(made.changes());
        var returned = returnedBy(made.changes());
        boolean wholly = granted.isEmpty() && returned.isEmpty();
        var served =
                lost.reversed().stream()
                        .filter(one -> one.decision().outcome().equals(made.outcome()))
                        .filter(
                                one ->
                                        wholly
                                                || (one.part()
                                                        && Collections.disjoint(
                                                                one.granted(), granted)
                                                        && Collections.disjoint(
                                                                one.returned(), returned)))
                        .findFirst();
        if (served.isPresent()) {
            lost.clear();
        }
        return served;
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

    /// Ends in a failure. If an answer was lost before, nobody knows that nothing was done.
    void fail(Throwable failure) {
        if (!(failure instanceof RuntimeException)) {
            end(failure);
        } else if (!parts.isEmpty()) {
            endInParts(failure.getMessage(), failure);
        } else if (!lost.isEmpty()) {
            end(
                    UnsettledException.perhapsDone(
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

    void giveUp(int attempts) {
        var why = "%d attempts did not settle it; %s".formatted(attempts, lastSetback);
        var sentence = "%s: %s".formatted(words(), why);
        if (!parts.isEmpty()) {
            endInParts(why, null);
        } else if (lost.isEmpty()) {
            end(new UnsettledException(sentence));
        } else {
            end(UnsettledException.perhapsDone(sentence, null));
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
