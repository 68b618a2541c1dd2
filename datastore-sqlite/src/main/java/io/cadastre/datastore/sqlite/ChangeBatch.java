package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Watch.Notice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Changes on their way to a watch.
///
/// The log records what each key held before a change. What the change made of it is recorded by the
/// next change of the same key, and if there is none, by the current document. So the log is read on
/// beyond the last change that is to be reported, until no result is missing.
final class ChangeBatch {

    /// How many changes are reported at once, unless one commit has more.
    private static final int CHANGES_MAX = 256;

    /// A change whose outcome is found out later.
    private record Place(long revision, List<Change> commit, int index) {}

    private final Map<Long, List<Change>> commits = new LinkedHashMap<>();
    private final Map<Bytes, Place> awaited = new HashMap<>();
    private long through;
    private int count;
    private boolean full;

    /// Begins after this revision.
    ChangeBatch(long after) {
        this.through = after;
    }

    boolean isDone() {
        return full && awaited.isEmpty();
    }

    /// A change of this revision found this. That is what the change before it made of the key, if that
    /// is still missing; and the change itself is taken, or left for later when the batch is full.
    void changed(Chunk.Before before, long revision) {
        var key = before.key();
        if (before.isAbsent()) {
            awaited.remove(key);
        } else if (awaited.containsKey(key)) {
            wasPut(key, before.value(), before.revision());
        }
        if (revision > through && count >= CHANGES_MAX) {
            full = true;
        }
        if (!full) {
            await(key, revision);
        }
    }

    /// The awaited outcome was this value.
    void wasPut(Bytes key, Bytes value, long revision) {
        var place = awaited.remove(key);
        if (place == null || place.revision() != revision) {
            throw new IllegalStateException(
                    "the log has key %s at revision %d, awaited was %s".formatted(key, revision, place));
        }
        place.commit().set(place.index(), new Change.Put(new Document(key.utf8(), value, revision)));
    }

    Set<Bytes> awaited() {
        return Set.copyOf(awaited.keySet());
    }

    List<Notice.Changed> notices() {
        return commits.entrySet().stream()
                .map(commit -> new Notice.Changed(commit.getKey(), commit.getValue()))
                .toList();
    }

    /// The last revision that the notices cover.
    long through(long newest) {
        return full ? through : Math.max(through, newest);
    }

    private void await(Bytes key, long revision) {
        var commit = commits.computeIfAbsent(revision, _ -> new ArrayList<>());
        // Stays if no value turns up: a key that is absent afterwards was deleted.
        commit.add(new Change.Deleted(key.utf8(), revision));
        awaited.put(key, new Place(revision, commit, commit.size() - 1));
        through = revision;
        count++;
    }
}
