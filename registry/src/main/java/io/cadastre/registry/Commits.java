package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// How a page writes what was noted in it.
public final class Commits {

    private Commits() {}

    /// The first writes of a page, which were done before it stopped.
    ///
    /// @param revision the revision of the store after the last of them
    /// @param rest what is known of the writes after them
    public record Written(List<Write> writes, long revision, PartialCommit.Rest rest) {

        public Written {
            writes = List.copyOf(writes);
        }
    }

    /// Commits the writes. Where the store applies them one by one and there is a conflict after the
    /// first, a part of the page is written; the caller has to read what became of it, as after a lost
    /// answer.
    public static Commit save(Datastore store, List<Write> writes) {
        return save(store, writes, _ -> {});
    }

    /// Commits the writes, and reports those that were done if only a part of them was.
    public static Commit save(Datastore store, List<Write> writes, Consumer<Written> stoppedAfter) {
        return save(store, writes, stoppedAfter, Recording.none());
    }

    /// Commits the writes with what the ledger records of them, if they are committed as a whole.
    public static Commit save(
            Datastore store, List<Write> writes, Consumer<Written> stoppedAfter, Recording recording) {
        if (writes.isEmpty()) {
            return new Commit.Done(List.of());
        }
        return store.atomic() ? recording.commit(store, writes) : saveOneByOne(store, writes, stoppedAfter);
    }

    /// Once a write is done, whatever keeps the next one from being done leaves the page half written.
    private static Commit saveOneByOne(Datastore store, List<Write> writes, Consumer<Written> stoppedAfter) {
        var revisions = new ArrayList<Long>();
        for (var write : writes) {
            int done = revisions.size();
            String refusal;
            try {
                var commit = store.commit(List.of(write));
                switch (commit) {
                    case Commit.Done(var further) -> {
                        revisions.addAll(further);
                        continue;
                    }
                    case Commit.Conflict _, Commit.Unknown _
                    when done == 0 -> {
                        return commit;
                    }
                    case Commit.Unknown unknown -> {
                        stoppedAfter.accept(written(writes, revisions, PartialCommit.Rest.UNKNOWN));
                        return unknown;
                    }
                    case Commit.Conflict(var _, var kind) -> refusal = "met " + kind;
                }
            } catch (DatastoreException failure) {
                if (done == 0) {
                    throw failure;
                }
                refusal = "failed: " + failure.getMessage();
            }
            stoppedAfter.accept(written(writes, revisions, PartialCommit.Rest.NOT_WRITTEN));
            return partial(done, writes.size(), refusal);
        }
        return new Commit.Done(revisions);
    }

    private static Written written(List<Write> writes, List<Long> revisions, PartialCommit.Rest rest) {
        return new Written(writes.subList(0, revisions.size()), revisions.getLast(), rest);
    }

    /// What a save answers that stopped after a part of its writes.
    public static Commit.Unknown partial(int done, int writes, String reason) {
        return new Commit.Unknown("%d of %d writes were done, then one %s".formatted(done, writes, reason));
    }
}
