package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;

import java.util.List;

/// How a page writes what was noted in it.
public final class Saving {

    private Saving() {}

    /// Commits the writes. Where the store applies them one by one and met a conflict after the first, a
    /// part of the page was written; whoever asked has to look what became of it, as after an answer that
    /// was lost.
    public static Commit save(Datastore store, List<Write> writes) {
        if (writes.isEmpty()) {
            return new Commit.Done(List.of());
        }
        var commit = store.commit(writes);
        return commit instanceof Commit.Conflict(var index, var kind)
                        && index > 0
                        && !store.atomic()
                ? halfDone(index, writes.size(), "met " + kind)
                : commit;
    }

    /// What a save answers that stopped after a part of its writes.
    public static Commit.Unknown halfDone(int done, int writes, String reason) {
        return new Commit.Unknown(
                "%d of %d writes were done, then one %s".formatted(done, writes, reason));
    }
}
