package io.cadastre.wire.book;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.registry.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// How writers that take new ranges at the same moment notice each other, in a store that has
/// transactions.
///
/// Two pools that overlap are two keys, and nothing that Calico or Spiderpool store is common to them. So
/// a writer first announces the range at keys of ours, then looks at all ranges once more, and writes
/// its own in one transaction with the end of its announcement. A second announcement in between takes
/// the place of the first, and the transaction of the first fails; a later writer sees the range. The
/// announcement of a process that died hinders no other, and once a range is written none is left.
///
/// In etcd a user may have the rights of one dialect alone. So there is a key among Calico's, for users
/// with the rights that Calico documents, and one among ours; a range is announced at each that may be
/// written. Users without a common key cannot read each other's ranges either.
public final class RangeAnnouncement {

    /// The first is as it was named when only pools of Calico met there; processes of that time still do.
    static final List<String> KEYS =
            List.of("/cadastre/calico/pool-announcement", "/calico/cadastre/range-announcement");

    /// The number of writes that a commit may have besides those that take ranges.
    public static final int WRITES = KEYS.size();

    private static final Bytes CONTENT = Bytes.ofUtf8("{}");

    private final Datastore store;

    public RangeAnnouncement(Datastore store) {
        this.store = store;
    }

    /// Commits the writes, which take ranges.
    ///
    /// @param current whether the ranges are still those that the decision was made by
    public Commit save(List<Write> writes, BooleanSupplier current, Recording recording) {
        var announced = new ArrayList<Write.Delete>();
        var denials = new ArrayList<DatastoreException>();
        for (var key : KEYS) {
            try {
                var commit = store.commit(List.of(announcing(key)));
                if (!(commit instanceof Commit.Done(var revisions))) {
                    withdraw(announced);
                    return commit;
                }
                announced.add(new Write.Delete(key, revisions.getFirst()));
            } catch (DatastoreException failed) {
                if (failed.kind() != DatastoreException.Kind.DENIED) {
                    throw failed;
                }
                denials.add(failed);
            }
        }
        if (announced.isEmpty()) {
            throw denials.getLast();
        }
        if (!current.getAsBoolean()) {
            withdraw(announced);
            return new Commit.Conflict(0, Commit.Kind.STALE);
        }
        var all = new ArrayList<>(writes);
        all.addAll(announced);
        var commit = recording.commit(store, all);
        if (commit instanceof Commit.Conflict) {
            withdraw(announced);
        }
        return commit;
    }

    private Write announcing(String key) {
        return store.get(key)
                .<Write>map(former -> new Write.Update(key, CONTENT, former.revision()))
                .orElseGet(() -> new Write.Create(key, CONTENT));
    }

    /// Does nothing if another writer has replaced the announcement. If one stays, it does no harm.
    private void withdraw(List<Write.Delete> announced) {
        announced.forEach(one -> store.commit(List.of(one)));
    }
}
