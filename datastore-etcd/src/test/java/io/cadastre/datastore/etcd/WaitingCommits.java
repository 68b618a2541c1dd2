package io.cadastre.datastore.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Commits that wait together, in an order the test gives.
///
/// While etcd is frozen, as many commits are sent as may be under way at once, so that the ones that
/// follow have to wait. A caller that waits is known by the state of its thread: a wait with a limit
/// is one in the queue, a wait without is one for etcd.
final class WaitingCommits {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private static final Set<Thread.State> JOINED = EnumSet.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

    private final Function<List<Write>, Commit> store;
    private final List<CompletableFuture<Object>> outcomes = new ArrayList<>();

    private WaitingCommits(Function<List<Write>, Commit> store) {
        this.store = store;
    }

    /// Fills all places with commits of keys under this prefix. etcd must be frozen, and the store
    /// connected.
    static WaitingCommits behind(String prefix, Function<List<Write>, Commit> store) {
        var blockers = new WaitingCommits(store);
        for (int place = 0; place < CommitQueue.ALONE_MAX; place++) {
            var thread = blockers.start(store, List.of(new Write.Create(prefix + place, Bytes.ofUtf8("1"))));
            await().atMost(AMPLE).until(() -> thread.getState() == Thread.State.WAITING);
        }
        return new WaitingCommits(store);
    }

    /// Commits in a thread of its own, and returns when it waits in the queue, or did.
    void join(Write... writes) {
        join(store, writes);
    }

    void join(Function<List<Write>, Commit> commit, Write... writes) {
        var thread = start(commit, List.of(writes));
        await().atMost(AMPLE).pollInterval(Duration.ofMillis(1)).until(() -> JOINED.contains(thread.getState()));
    }

    /// The outcome of each, in the order they joined: a [Commit], or the exception it ended in.
    List<Object> outcomes() throws Exception {
        var told = new ArrayList<Object>();
        for (var outcome : outcomes) {
            told.add(outcome.get(AMPLE.toSeconds(), TimeUnit.SECONDS));
        }
        return told;
    }

    /// Whether the one that joined at this place has its outcome.
    boolean ended(int index) {
        return outcomes.get(index).isDone();
    }

    /// The revision of each, all of which must be done.
    List<Long> revisions() throws Exception {
        assertThat(outcomes()).hasOnlyElementsOfType(Commit.Done.class);
        return outcomes().stream()
                .map(outcome -> ((Commit.Done) outcome).revisions().getFirst())
                .toList();
    }

    private Thread start(Function<List<Write>, Commit> commit, List<Write> writes) {
        var outcome = new CompletableFuture<Object>();
        outcomes.add(outcome);
        return Thread.startVirtualThread(() -> {
            try {
                outcome.complete(commit.apply(writes));
            } catch (DatastoreException failure) {
                outcome.complete(failure);
            }
        });
    }
}
