package io.cadastre.wire.calico;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A store that notes what it is asked for, and of which a commit can be tampered with.
public final class RecordingStore implements ForwardingDatastore {

    private final Datastore store;
    private final List<String> calls = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final ArrayDeque<UnaryOperator<Commit>> afterCommits = new ArrayDeque<>();
    private final ArrayDeque<Runnable> beforeCommits = new ArrayDeque<>();
    private int readings;
    private boolean swallow;
    private boolean swallowAll;
    private boolean broken;
    private boolean hold;
    private int readsUntilArrival;
    private List<Write> held = List.of();

    public RecordingStore(Datastore store) {
        this.store = store;
    }

    /// The calls since this was asked last: `get`, `list` or `commit`, and the key, the prefix or the
    /// number of writes.
    public synchronized List<String> takeCalls() {
        var taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    /// How often it was read since this was asked last, however many documents at once.
    public synchronized int takeReadings() {
        int taken = readings;
        readings = 0;
        return taken;
    }

    /// The keys that were to be written since this was asked last, in order.
    public synchronized List<String> takeWritten() {
        var taken = List.copyOf(written);
        written.clear();
        return taken;
    }

    /// The next commit is applied, and its answer is lost.
    public void loseNextAnswer() {
        afterCommits.add(_ -> new Commit.Unknown("lost on purpose"));
    }

    /// The next commit is not applied, and its answer is lost.
    public void loseNextRequest() {
        swallow = true;
    }

    /// From now on no commit is applied, and the answers are lost.
    public void loseAllRequests() {
        swallowAll = true;
    }

    /// From now on every commit fails.
    public void breakDown() {
        broken = true;
    }

    /// The next commit is not answered, and arrives just before the reading with this number after it,
    /// counted from one.
    public void holdNextRequest(int reading) {
        hold = true;
        readsUntilArrival = reading;
    }

    /// Whether the commit that was held has arrived.
    public boolean arrived() {
        return held.isEmpty();
    }

    private void beforeReading() {
        if (!held.isEmpty() && --readsUntilArrival == 0) {
            arrive();
        }
    }

    /// What was held arrives now.
    public void arrive() {
        var late = held;
        held = List.of();
        if (!late.isEmpty()) {
            store.commit(late);
        }
    }

    /// A rival acts just before the next commit.
    public void beforeNextCommit(Runnable rival) {
        beforeCommits.add(rival);
    }

    private synchronized void note(String call) {
        calls.add(call);
        readings++;
    }

    private synchronized void note(List<Write> writes) {
        calls.add("commit " + writes.size());
        writes.forEach(write -> written.add(write.key()));
    }

    @Override
    public Optional<Document> get(String key) {
        note("get " + key);
        beforeReading();
        return store.get(key);
    }

    @Override
    public synchronized Map<String, Document> getAll(List<String> keys) {
        int before = readings;
        Map<String, Document> found;
        if (held.isEmpty()) {
            keys.forEach(key -> note("get " + key));
            found = store.getAll(keys);
        } else {
            // What is held may arrive between any two of them.
            found = ForwardingDatastore.super.getAll(keys);
        }
        readings = before + (keys.isEmpty() ? 0 : 1);
        return found;
    }

    @Override
    public Listing list(String prefix, int limit) {
        note("list " + prefix);
        beforeReading();
        return store.list(prefix, limit);
    }

    @Override
    public Datastore store() {
        return store;
    }

    @Override
    public Commit commit(List<Write> writes) {
        note(writes);
        if (!beforeCommits.isEmpty()) {
            beforeCommits.removeFirst().run();
        }
        if (broken) {
            throw new DatastoreException(DatastoreException.Kind.FAILED, "broken on purpose");
        }
        if (hold) {
            hold = false;
            held = writes;
            return new Commit.Unknown("held on purpose");
        }
        if (swallow || swallowAll) {
            swallow = false;
            return new Commit.Unknown("lost on purpose");
        }
        var commit = store.commit(writes);
        return afterCommits.isEmpty() ? commit : afterCommits.removeFirst().apply(commit);
    }
}
