package io.cadastre.datastore.memory;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch.Change;
import io.cadastre.datastore.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// What every key held at every revision from the oldest known one to the newest.
///
/// Not safe for several threads at once.
final class RevisionHistory {

    /// How many revisions are kept without being asked to forget any.
    static final int REVISIONS_MAX = 10_000;

    private final NavigableMap<String, NavigableMap<Long, Change>> versions = new TreeMap<>(Keys.ORDER);
    private final NavigableMap<Long, List<Change>> commits = new TreeMap<>();
    private long newest;
    private long oldest;

    long newest() {
        return newest;
    }

    long oldest() {
        return oldest;
    }

    Optional<Document> find(String key) {
        var ofKey = versions.get(key);
        return ofKey == null ? Optional.empty() : findAt(ofKey, newest);
    }

    Listing list(String prefix, int limit) {
        return page(versions.tailMap(prefix, true), prefix, newest, limit);
    }

    Listing list(Listing.Cursor cursor, int limit) {
        if (cursor.revision() < oldest) {
            throw new CompactedException(cursor.revision(), oldest);
        }
        checkHappened(cursor.revision());
        var rest = versions.tailMap(cursor.afterKey(), false);
        return page(rest, cursor.prefix(), cursor.revision(), limit);
    }

    /// The commits with a revision greater than this one, oldest first.
    NavigableMap<Long, List<Change>> after(long revision) {
        return Collections.unmodifiableNavigableMap(commits.tailMap(revision, false));
    }

    /// The first write that does not find what it believes.
    Optional<Commit.Conflict> findConflict(List<Write> writes) {
        for (int index = 0; index < writes.size(); index++) {
            var conflict = findConflict(writes.get(index));
            if (conflict.isPresent()) {
                return Optional.of(new Commit.Conflict(index, conflict.get()));
            }
        }
        return Optional.empty();
    }

    Commit commit(List<Write> writes) {
        var conflict = findConflict(writes);
        if (conflict.isPresent()) {
            return conflict.get();
        }
        long revision = newest + 1;
        var changes = writes.stream().map(write -> change(write, revision)).toList();
        for (var change : changes) {
            versions.computeIfAbsent(change.key(), _ -> new TreeMap<>()).put(revision, change);
        }
        commits.put(revision, changes);
        newest = revision;
        if (newest - oldest > REVISIONS_MAX) {
            compact(newest - REVISIONS_MAX);
        }
        return new Commit.Done(Collections.nCopies(writes.size(), revision));
    }

    /// Forgets what was superseded at or before this revision.
    void compact(long revision) {
        checkHappened(revision);
        var forgotten = commits.headMap(revision, true);
        for (var changes : forgotten.values()) {
            for (var change : changes) {
                forgetBefore(revision, change.key());
            }
        }
        forgotten.clear();
        oldest = Math.max(oldest, revision);
    }

    private static Listing page(Map<String, NavigableMap<Long, Change>> keys, String prefix, long revision, int limit) {
        var documents = new ArrayList<Document>();
        for (var key : keys.entrySet()) {
            if (!key.getKey().startsWith(prefix)) {
                break;
            }
            var found = findAt(key.getValue(), revision);
            if (found.isPresent() && documents.size() == limit) {
                var next = new Listing.Cursor(prefix, documents.getLast().key(), revision);
                return new Listing(documents, revision, Optional.of(next));
            }
            found.ifPresent(documents::add);
        }
        return new Listing(documents, revision, Optional.empty());
    }

    private void checkHappened(long revision) {
        if (revision > newest) {
            throw new IllegalArgumentException(
                    "revision %d has not happened; the newest is %d".formatted(revision, newest));
        }
    }

    private void forgetBefore(long revision, String key) {
        var ofKey = versions.get(key);
        if (ofKey == null) {
            return;
        }
        var last = ofKey.floorEntry(revision);
        if (last != null) {
            ofKey.headMap(last.getKey(), last.getValue() instanceof Change.Deleted)
                    .clear();
        }
        if (ofKey.isEmpty()) {
            versions.remove(key);
        }
    }

    private static Optional<Document> findAt(NavigableMap<Long, Change> ofKey, long revision) {
        var version = ofKey.floorEntry(revision);
        return version != null && version.getValue() instanceof Change.Put(var document)
                ? Optional.of(document)
                : Optional.empty();
    }

    private Optional<Commit.Kind> findConflict(Write write) {
        var found = find(write.key());
        return switch (write) {
            case Write.Create _ -> found.map(_ -> Commit.Kind.EXISTS);
            case Write.Update update -> findConflict(found, update.revision());
            case Write.Delete delete -> findConflict(found, delete.revision());
        };
    }

    private static Optional<Commit.Kind> findConflict(Optional<Document> found, long believed) {
        if (found.isEmpty()) {
            return Optional.of(Commit.Kind.ABSENT);
        }
        return found.get().revision() == believed ? Optional.empty() : Optional.of(Commit.Kind.STALE);
    }

    private static Change change(Write write, long revision) {
        return switch (write) {
            case Write.Create(var key, var value) -> put(key, value, revision);
            case Write.Update(var key, var value, var _) -> put(key, value, revision);
            case Write.Delete(var key, var _) -> new Change.Deleted(key, revision);
        };
    }

    private static Change put(String key, Bytes value, long revision) {
        return new Change.Put(new Document(key, value, revision));
    }
}
