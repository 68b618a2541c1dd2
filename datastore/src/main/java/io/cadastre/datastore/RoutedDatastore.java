package io.cadastre.datastore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Several stores that share the keys among them, each with those that begin with its prefix. Of two
/// prefixes that fit, the longer one counts.
///
/// Revisions of different stores have nothing to do with each other, so what is listed or watched has to
/// lie in one of them. A commit may go to several; it is applied one by one then.
public final class RoutedDatastore implements Datastore {

    /// The keys with this prefix are in this store.
    public record Route(String prefix, Datastore store) {}

    private final List<Route> routes;

    private RoutedDatastore(List<Route> routes) {
        this.routes = routes;
    }

    /// Closing it closes them all.
    public static RoutedDatastore of(List<Route> routes) {
        return new RoutedDatastore(routes.stream()
                .sorted(Comparator.comparingInt((Route route) -> -route.prefix().length()))
                .toList());
    }

    /// The store that has, or would have, this key.
    public Datastore storeOf(String key) {
        return routes.stream()
                .filter(route -> key.startsWith(route.prefix()))
                .map(Route::store)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no store has '%s'".formatted(key)));
    }

    private Datastore storeUnder(String prefix) {
        var store = storeOf(prefix);
        for (var route : routes) {
            if (route.prefix().startsWith(prefix) && !route.store().equals(store)) {
                throw new IllegalArgumentException("what begins with '%s' is in several stores".formatted(prefix));
            }
        }
        return store;
    }

    @Override
    public Optional<Document> get(String key) {
        return storeOf(key).get(key);
    }

    @Override
    public Map<String, Document> getAll(List<String> keys) {
        var found = new LinkedHashMap<String, Document>();
        for (var store : routes.stream().map(Route::store).distinct().toList()) {
            found.putAll(store.getAll(
                    keys.stream().filter(key -> storeOf(key).equals(store)).toList()));
        }
        return found;
    }

    @Override
    public Listing list(String prefix, int limit) {
        return storeUnder(prefix).list(prefix, limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return storeUnder(cursor.prefix()).list(cursor, limit);
    }

    @Override
    public long scan(String prefix, Consumer<List<Document>> pages) {
        return storeUnder(prefix).scan(prefix, pages);
    }

    @Override
    public Listing listAll(String prefix) {
        return storeUnder(prefix).listAll(prefix);
    }

    @Override
    public Watch watch(String prefix, long after) {
        return storeUnder(prefix).watch(prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        WriteRules.checkWrites(writes);
        var revisions = new ArrayList<Long>();
        while (revisions.size() < writes.size()) {
            int begin = revisions.size();
            var store = storeOf(writes.get(begin).key());
            int end = begin + 1;
            while (end < writes.size() && storeOf(writes.get(end).key()).equals(store)) {
                end++;
            }
            Commit commit;
            try {
                commit = store.commit(writes.subList(begin, end));
            } catch (DatastoreException failure) {
                if (begin == 0) {
                    throw failure;
                }
                return new Commit.Unknown("%d of %d writes were done, then a store failed: %s"
                        .formatted(begin, writes.size(), failure.getMessage()));
            }
            switch (commit) {
                case Commit.Done(var done) -> revisions.addAll(done);
                case Commit.Conflict(var index, var kind) -> {
                    return new Commit.Conflict(begin + index, kind);
                }
                case Commit.Unknown unknown -> {
                    return unknown;
                }
            }
        }
        return new Commit.Done(revisions);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        WriteRules.checkWrites(writes);
        var stores =
                writes.stream().map(write -> storeOf(write.key())).distinct().toList();
        return stores.size() == 1 ? stores.getFirst().commitEach(writes) : Datastore.super.commitEach(writes);
    }

    @Override
    public boolean holds(Document found, Bytes value) {
        return storeOf(found.key()).holds(found, value);
    }

    @Override
    public boolean hasPlace(String key) {
        return storeOf(key).hasPlace(key);
    }

    @Override
    public boolean atomic() {
        return routes.stream().map(Route::store).distinct().count() == 1
                && routes.getFirst().store().atomic();
    }

    @Override
    public void close() {
        routes.stream().map(Route::store).distinct().forEach(Datastore::close);
    }
}
