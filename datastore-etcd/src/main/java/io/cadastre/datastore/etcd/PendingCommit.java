package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Write;
import io.grpc.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A commit whose caller waits.
final class PendingCommit {

    private final List<Write> writes;
    private final List<String> keys;
    private final ProtoWriter request;
    private final Deadline deadline;
    private final CompletableFuture<CommitResult> fate = new CompletableFuture<>();

    /// Whether it must not share a transaction. Guarded by the lock of the queue.
    private boolean single;

    PendingCommit(List<Write> writes, Deadline deadline) {
        this.writes = List.copyOf(writes);
        this.keys = writes.stream().map(Write::key).toList();
        this.request = Requests.commit(writes);
        this.deadline = deadline;
    }

    List<Write> writes() {
        return writes;
    }

    List<String> keys() {
        return keys;
    }

    /// The transaction that does it.
    ProtoWriter request() {
        return request;
    }

    Deadline deadline() {
        return deadline;
    }

    /// Completed once.
    CompletableFuture<CommitResult> fate() {
        return fate;
    }

    boolean single() {
        return single;
    }

    void makeSingle() {
        single = true;
    }
}
