package io.cadastre.wire.calico.resource;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// How those who create pools at the same moment notice each other, in a store that has transactions.
///
/// Two pools that overlap are two keys, and nothing that Calico stores is common to them. So whoever
/// creates a pool first announces that at a key of ours, then looks at the pools once more, and writes
/// his own in one transaction with the end of his announcement. Whoever announces something in between
/// takes the place of the announcement, and that transaction fails; whoever comes later sees the pool.
/// The announcement of somebody who died keeps nobody from anything, and once a pool is created none is
/// left.
final class PoolAnnouncement {

    static final String KEY = "/cadastre/calico/pool-announcement";

    private static final Bytes CONTENT = Bytes.ofUtf8("{}");

    private final Datastore store;

    PoolAnnouncement(Datastore store) {
        this.store = store;
    }

    /// Commits the writes, which create pools.
    ///
    /// @param current whether the pools are still those that the decision was made by
    Commit save(List<Write> writes, BooleanSupplier current) {
        var announced = store.commit(List.of(announcing()));
        if (!(announced instanceof Commit.Done(var revisions))) {
            return announced;
        }
        long revision = revisions.getFirst();
        if (!current.getAsBoolean()) {
            withdraw(revision);
            return new Commit.Conflict(0, Commit.Kind.STALE);
        }
        var all = new ArrayList<>(writes);
        all.add(new Write.Delete(KEY, revision));
        var commit = store.commit(all);
        if (commit instanceof Commit.Conflict) {
            withdraw(revision);
        }
        return commit;
    }

    private Write announcing() {
        return store.get(KEY)
                .<Write>map(former -> new Write.Update(KEY, CONTENT, former.revision()))
                .orElseGet(() -> new Write.Create(KEY, CONTENT));
    }

    /// Unless it is somebody else's by now. If it stays, it does no harm.
    private void withdraw(long revision) {
        store.commit(List.of(new Write.Delete(KEY, revision)));
    }
}
