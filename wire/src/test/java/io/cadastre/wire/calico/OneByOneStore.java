package io.cadastre.wire.calico;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;

/// A store without transactions, as the Kubernetes API is one, and a process that dies before one of its
/// writes.
final class OneByOneStore implements ForwardingDatastore {

    /// The process is dead.
    static final class Dead extends Error {

        private static final long serialVersionUID = 1;

        Dead() {
            super("killed on purpose");
        }
    }

    private final Datastore store;
    private final List<String> writes = new ArrayList<>();
    private final List<Integer> stages = new ArrayList<>();
    private final Consumer<List<Write>> order;
    private int left;

    OneByOneStore(Datastore store, int left) {
        this(store, left, _ -> {});
    }

    /// @param order puts writes that do not depend on each other in the order in which they are applied
    OneByOneStore(Datastore store, int left, Consumer<List<Write>> order) {
        this.store = store;
        this.left = left;
        this.order = order;
    }

    /// How many writes went together, of those that did not go alone.
    List<Integer> stages() {
        return stages;
    }

    /// What was written: a verb and a key.
    List<String> writes() {
        return writes;
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public Commit commit(List<Write> list) {
        var revisions = new ArrayList<Long>();
        for (int index = 0; index < list.size(); index++) {
            if (left-- <= 0) {
                throw new Dead();
            }
            var write = list.get(index);
            switch (store.commit(List.of(write))) {
                case Commit.Done(var revision) -> {
                    writes.add(write.getClass().getSimpleName() + " " + write.key());
                    revisions.addAll(revision);
                }
                case Commit.Conflict(var _, var kind) -> {
                    return new Commit.Conflict(index, kind);
                }
                case Commit.Unknown unknown -> {
                    return unknown;
                }
            }
        }
        return new Commit.Done(revisions);
    }

    @Override
    public List<Commit> commitEach(List<Write> list) {
        if (list.size() > 1) {
            stages.add(list.size());
        }
        var ordered = new ArrayList<>(list);
        order.accept(ordered);
        var commits = new HashMap<Write, Commit>();
        ordered.forEach(write -> commits.put(write, commit(List.of(write))));
        return list.stream().map(commits::get).toList();
    }

    @Override
    public Datastore store() {
        return store;
    }
}
