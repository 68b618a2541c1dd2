package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
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
    private String lastSetback = "nothing was tried";

    Matter(Request<V, C, O> request) {
        this.request = request;
    }

    String words() {
        return request.words();
    }

    List<C> decide(V view) {
        var fresh = request.law().apply(view);
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
    }

    Ledger.Entry entry(Instant at, int attempt, long revision) {
        var made = decision();
        return new Ledger.Entry(
                at,
                request.words(),
                String.valueOf(made.outcome()),
                attempt,
                revision,
                made.changes().stream().flatMap(change -> change.granted().stream()).toList(),
                made.changes().stream().flatMap(change -> change.returned().stream()).toList(),
                made.because().stream().map(Because::sentence).toList());
    }

    void lead() {
        turn.complete(true);
    }

    void settle() {
        outcome.complete(decision().outcome());
        turn.complete(false);
    }

    void fail(Throwable failure) {
        outcome.completeExceptionally(failure);
        turn.complete(false);
    }

    void giveUp(int attempts) {
        fail(
                new UnsettledException(
                        "%s: %d attempts did not settle it; %s"
                                .formatted(words(), attempts, lastSetback)));
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
