package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// How a page writes what was noted in it.
public final class Saving {

    private Saving() {}

    /// The first writes of a page, which were done before it stopped.
    ///
    /// @param revision the revision of the store after the last of them
    public record Written(List<Write> writes, long revision) {

        public Written {
            writes = List.copyOf(writes);
        }
    }

    /// Commits the writes. Where the store applies them one by one and met a conflict after the first, a
    /// part of the page was written; whoever asked has to look what became of it, as after an answer that
    /// was lost.
    public static Commit save(Datastore store, List<Write> writes) {
        return save(store, writes, _ -> {});
    }

    /// Commits the writes, and tells of those that were done if a part of them was.
    public static Commit save(Datastore store, List<Write> writes, Consumer<Written> stoppedAfter) {
        if (writes.isEmpty()) {
            return new Commit.Done(List.of());
        }
        return store.atomic() ? store.commit(writes) : saveOneByOne(store, writes, stoppedAfter);
    }

    private static Commit saveOneByOne(
            Datastore store, List<Write> writes, Consumer<Written> stoppedAfter) {
        var revisions = new ArrayList<Long>();
        for (var write : writes) {
            var commit = saveNext(store, write, revisions.size(), writes.size());
            if (commit instanceof Commit.Done(var further)) {
                revisions.addAll(further);
            } else {
                if (!revisions.isEmpty()) {
                    var done = writes.subList(0, revisions.size());
                    stoppedAfter.accept(new Written(done, revisions.getLast()));
                }
                return commit;
            }
        }
        return new Commit.Done(revisions);
    }

    /// Once a write is done, whatever keeps the next one from being done leaves the page half written.
    private static Commit saveNext(Datastore store, Write write, int done, int writes) {
        try {
            var commit = store.commit(List.of(write));
            return commit instanceof Commit.Conflict(_, var kind) && done > 0
                    ? halfDone(done, writes, "met " + kind)
                    : commit;
        } catch (DatastoreException failure) {
            if (done == 0) {
                throw failure;
            }
            return halfDone(done, writes, "failed: " + failure.getMessage());
        }
    }

    /// What a save answers that stopped after a part of its writes.
    public static Commit.Unknown halfDone(int done, int writes, String reason) {
        return new Commit.Unknown(
                "%d of %d writes were done, then one %s".formatted(done, writes, reason));
    }
}
