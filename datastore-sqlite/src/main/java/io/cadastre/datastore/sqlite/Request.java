package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Write;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/// A commit that someone waits for.
///
/// It waits until the committer takes it or its caller withdraws it, whichever comes first. Withdrawn,
/// it certainly has no effect; taken, only the committer knows what became of it.
final class Request {

    private enum State {
        WAITING,
        TAKEN,
        WITHDRAWN
    }

    /// A write as the database wants it. Made by the caller's thread, as the committer's time is
    /// everybody's.
    static final class Step {

        private final Write write;
        private final byte[] key;
        private final byte[] value;

        private Step(Write write) {
            this.write = write;
            this.key = write.key().getBytes(StandardCharsets.UTF_8);
            this.value =
                    switch (write) {
                        case Write.Create create -> create.value().toByteArray();
                        case Write.Update update -> update.value().toByteArray();
                        case Write.Delete _ -> new byte[0];
                    };
        }

        Write write() {
            return write;
        }

        byte[] key() {
            return key;
        }

        byte[] value() {
            return value;
        }
    }

    private final List<Step> steps;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final CompletableFuture<Commit> answer = new CompletableFuture<>();

    Request(List<Write> writes) {
        this.steps = writes.stream().map(Step::new).toList();
    }

    List<Step> steps() {
        return steps;
    }

    long bytes() {
        return steps.stream().mapToLong(step -> step.key().length + step.value().length).sum();
    }

    boolean isWaiting() {
        return state.get() == State.WAITING;
    }

    boolean take() {
        return state.compareAndSet(State.WAITING, State.TAKEN);
    }

    private boolean withdraw() {
        return state.compareAndSet(State.WAITING, State.WITHDRAWN);
    }

    void answer(Commit commit) {
        answer.complete(commit);
    }

    /// Ends the request with a failure that certainly left it without effect.
    void refuse(DatastoreException failure) {
        answer.completeExceptionally(failure);
    }

    Commit await(Duration limit) {
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException refused) {
            throw refusal(refused);
        } catch (TimeoutException late) {
            var words = "the commit was not done within " + limit;
            if (withdraw()) {
                throw new DatastoreException(Kind.DEADLINE, words, late);
            }
            return answer.getNow(new Commit.Unknown(words));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            var words = "interrupted while waiting for the commit";
            if (withdraw()) {
                throw new DatastoreException(Kind.FAILED, words, interrupted);
            }
            return answer.getNow(new Commit.Unknown(words));
        }
    }

    private static DatastoreException refusal(ExecutionException refused) {
        if (refused.getCause() instanceof DatastoreException failure) {
            // Its own stack trace is the committer's; the caller's is worth more.
            return new DatastoreException(failure.kind(), text(failure), failure);
        }
        throw new IllegalStateException(refused);
    }

    private static String text(DatastoreException failure) {
        var message = failure.getMessage();
        return message == null ? failure.kind().name() : message;
    }
}
