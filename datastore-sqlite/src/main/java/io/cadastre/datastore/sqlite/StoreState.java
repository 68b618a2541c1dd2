package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.util.concurrent.atomic.AtomicReference;

/// Whether a store or journal still serves. It stops for good when it is closed, or when a commit failed in a
/// way that leaves open what is on the disk: after a failed sync the next one succeeds without having written
/// what the first one did not, so nothing this process would do afterwards can be trusted.
final class StoreState {

    private sealed interface State {
        record Open() implements State {}

        record Closed() implements State {}

        record Failed(String reason, Throwable cause) implements State {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(new State.Open());

    boolean isOpen() {
        return state.get() instanceof State.Open;
    }

    /// Whether this call closed it.
    boolean close() {
        return !(state.getAndSet(new State.Closed()) instanceof State.Closed);
    }

    /// Only the first failure is reported.
    void fail(String reason, Throwable cause) {
        state.updateAndGet(now -> now instanceof State.Open ? new State.Failed(reason, cause) : now);
    }

    void check() {
        if (!isOpen()) {
            throw refusal();
        }
    }

    /// Why nothing is served any more.
    DatastoreException refusal() {
        return switch (state.get()) {
            case State.Open _ -> throw new IllegalStateException("the store is open");
            case State.Closed _ -> new DatastoreException(Kind.CLOSED, "the store or journal is closed");
            case State.Failed(var reason, var cause) ->
                new DatastoreException(Kind.FAILED, "it stopped and has to be opened again: " + reason, cause);
        };
    }
}
