package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.Write;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A commit that its caller waits for.
///
/// It waits until a leader takes it or its caller withdraws it, whichever comes first. Withdrawn, it
/// certainly has no effect; taken, only the leader knows what became of it.
final class QueuedCommit {

    private enum State {
        WAITING,
        TAKEN,
        WITHDRAWN
    }

    /// How a request ended.
    private sealed interface Ending {
        record Answered(Commit commit) implements Ending {}

        record Refused(DatastoreException failure) implements Ending {}
    }

    /// A write as the database wants it. Made by the caller's thread, as all callers share the
    /// committer's time.
    static final class Step {

        private final Write write;
        private final byte[] key;
        private final byte[] value;

        private Step(Write write) {
            this.write = write;
            this.key = write.key().getBytes(StandardCharsets.UTF_8);
            this.value = switch (write) {
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
    private final Datastore.Records records;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();

    /// Whether its caller was called to lead.
    private volatile boolean called;

    /// Made by the thread that waits for it.
    QueuedCommit(List<Write> writes) {
        this(writes, (_, _) -> List.of());
    }

    /// One with which the journal is written.
    QueuedCommit(List<Write> writes, Datastore.Records records) {
        this.records = records;
        var all = new ArrayList<Step>(writes.size());
        for (var write : writes) {
            all.add(new Step(write));
        }
        this.steps = all;
    }

    List<Step> steps() {
        return steps;
    }

    Datastore.Records records() {
        return records;
    }

    long bytes() {
        long bytes = 0;
        for (var step : steps) {
            bytes += step.key().length + step.value().length;
        }
        return bytes;
    }

    boolean take() {
        return state.compareAndSet(State.WAITING, State.TAKEN);
    }

    boolean isWithdrawn() {
        return state.get() == State.WITHDRAWN;
    }

    private boolean withdraw() {
        return state.compareAndSet(State.WAITING, State.WITHDRAWN);
    }

    void answer(Commit commit) {
        end(new Ending.Answered(commit));
    }

    /// Ends the request with a failure that certainly left it without effect.
    void refuse(DatastoreException failure) {
        end(new Ending.Refused(failure));
    }

    private void end(Ending how) {
        // One that waits still must not be taken after it has ended.
        withdraw();
        if (ending.compareAndSet(null, how) && !caller.equals(Thread.currentThread())) {
            LockSupport.unpark(caller);
        }
    }

    boolean isEnded() {
        return ending.get() != null;
    }

    /// Asks the caller to lead. Returns false if it no longer waits.
    boolean call() {
        called = true;
        if (state.get() != State.WAITING) {
            return false;
        }
        LockSupport.unpark(caller);
        return true;
    }

    /// Forgets the call, since its caller is about to try. A call that comes later is another one.
    void heed() {
        called = false;
    }

    boolean isCalled() {
        return called;
    }

    /// Waits until the request has ended or its caller is to lead. At the deadline the request ends.
    void await(Deadline deadline) {
        while (!isEnded() && !called && !giveUp(deadline)) {
            LockSupport.parkNanos(this, deadline.leftNanos());
        }
    }

    /// Ends the request if its time is up or its caller was interrupted. Returns whether it has ended.
    boolean giveUp(Deadline deadline) {
        if (Thread.currentThread().isInterrupted()) {
            giveUp(Kind.FAILED, "interrupted while waiting for the commit");
        } else if (deadline.leftNanos() <= 0) {
            giveUp(Kind.DEADLINE, "the commit was not done within " + deadline.limit());
        }
        return isEnded();
    }

    private void giveUp(Kind kind, String words) {
        if (withdraw()) {
            refuse(new DatastoreException(kind, words));
        } else {
            answer(new Commit.Unknown(words));
        }
    }

    /// What became of it, once it has ended.
    Commit outcome() {
        return switch (ending.get()) {
            case Ending.Answered(var commit) -> commit;
            // Its own stack trace may be the leader's; the caller's is worth more.
            case Ending.Refused(var failure) -> throw new DatastoreException(failure.kind(), text(failure), failure);
            case null -> throw new IllegalStateException("the request has not ended");
        };
    }

    private static String text(DatastoreException failure) {
        var message = failure.getMessage();
        return message == null ? failure.kind().name() : message;
    }
}
