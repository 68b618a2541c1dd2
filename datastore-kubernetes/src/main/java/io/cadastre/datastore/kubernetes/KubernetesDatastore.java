package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.WriteRules;
import io.cadastre.datastore.kubernetes.ObjectReader.Extract;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ResourceMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Documents as objects of the Kubernetes API. Revisions are resource versions.
///
/// - A commit is applied **one write after another**. It costs one request for each write, two for a
///   deletion, and one more where the object was not seen lately.
/// - An update that changes nothing keeps its revision: the server does not write what is there.
/// - The revision of a deletion is exact where objects are marked first; otherwise it is one that the
///   server had soon after.
/// - The server pages by the names of objects and not by keys, so each page in the order of keys costs a
///   reading of the whole collection, of which only that page is kept. [#listAll(String)] costs one for all
///   pages, and so does [#scan(String, Consumer)], which passes on each page of the server.
/// - A watch over several collections reports the changes of each in order, but those of one may be
///   reported before older ones of another. The revision of a notice is then the one up to which
///   everything was reported, from which a watch may go on; it may be less than that of the change.
public final class KubernetesDatastore implements Datastore {

    /// This many documents are read at a time.
    private static final int READERS_MAX = 8;

    private final ApiClient client;
    private final ResourceMap map;
    private final SeenObjects seen = new SeenObjects();
    private final ObjectReader objects;
    private final ObjectWriter writer;
    private final Set<KubernetesWatch> watches = ConcurrentHashMap.newKeySet();

    private KubernetesDatastore(ApiClient client, ResourceMap map) {
        this.client = client;
        this.map = map;
        this.objects = new ObjectReader(client, map, seen);
        this.writer = new ObjectWriter(client, map, objects, seen);
    }

    /// A store over this cluster. The first call connects.
    ///
    /// @param chance varies the pauses before a request is sent again
    /// @throws DatastoreException if the configuration or the credentials are unusable
    public static KubernetesDatastore open(KubernetesSettings settings, ResourceMap map, RandomGenerator chance) {
        return new KubernetesDatastore(new ApiClient(settings, chance), map);
    }

    @Override
    public Optional<Document> get(String key) {
        WriteRules.checkKey(key);
        client.checkOpen();
        var name = map.locate(key);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        var deadline = client.deadline();
        var found = objects.find(name.get(), deadline);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return switch (found.get().content()) {
            case Content.Present(var _, var value) ->
                Optional.of(new Document(key, value, found.get().metadata().revision()));
            case Content.Tombstone _ -> {
                objects.bury(name.get(), found.get().metadata(), deadline);
                yield Optional.empty();
            }
            case Content.Foreign _ -> Optional.empty();
        };
    }

    /// Several at a time, each by a request of its own.
    @Override
    public Map<String, Document> getAll(List<String> keys) {
        if (keys.size() < 2) {
            return Datastore.super.getAll(keys);
        }
        var found = new ConcurrentHashMap<String, Document>();
        var rest = new ConcurrentLinkedQueue<>(keys);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = new ArrayList<Future<?>>();
            for (int reader = 0; reader < Math.min(READERS_MAX, keys.size()); reader++) {
                readers.add(threads.submit(() -> {
                    // Ends: each round takes one key.
                    for (var key = rest.poll(); key != null; key = rest.poll()) {
                        var name = key;
                        get(name).ifPresent(it -> found.put(name, it));
                    }
                }));
            }
            readers.forEach(KubernetesDatastore::join);
        }
        return found;
    }

    private static void join(Future<?> reader) {
        try {
            reader.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(DatastoreException.Kind.FAILED, "interrupted while reading", interrupted);
        }
    }

    @Override
    public Listing list(String prefix, int limit) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkLimit(limit);
        client.checkOpen();
        var snapshot = objects.snapshot(new Extract(prefix, "", limit + 1), client.deadline());
        return listing(prefix, snapshot.documents(), snapshot.revision(), limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        WriteRules.checkCursor(cursor);
        WriteRules.checkLimit(limit);
        client.checkOpen();
        var extract = new Extract(cursor.prefix(), cursor.afterKey(), limit + 1);
        var snapshot = objects.snapshotAt(extract, cursor.revision(), client.deadline());
        return listing(cursor.prefix(), snapshot.documents(), cursor.revision(), limit);
    }

    @Override
    public long scan(String prefix, Consumer<List<Document>> pages) {
        WriteRules.checkPrefix(prefix);
        client.checkOpen();
        return objects.scan(prefix, pages);
    }

    @Override
    public Listing listAll(String prefix) {
        WriteRules.checkPrefix(prefix);
        client.checkOpen();
        var snapshot = objects.snapshot(new Extract(prefix, "", Integer.MAX_VALUE), client.deadline());
        return new Listing(List.copyOf(snapshot.documents().values()), snapshot.revision(), Optional.empty());
    }

    private static Listing listing(String prefix, NavigableMap<String, Document> documents, long revision, int limit) {
        var page = documents.values().stream().limit(limit).toList();
        var next = documents.size() > limit
                ? Optional.of(new Listing.Cursor(prefix, page.getLast().key(), revision))
                : Optional.<Listing.Cursor>empty();
        return new Listing(page, revision, next);
    }

    @Override
    public Watch watch(String prefix, long after) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkRevision(after);
        client.checkOpen();
        var watch = new KubernetesWatch(client, map, seen, prefix, after, watches::remove);
        watches.add(watch);
        if (client.closed()) {
            watch.close();
        }
        return watch;
    }

    @Override
    public Commit commit(List<Write> writes) {
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        client.checkOpen();
        return writer.commit(copy, client.deadline());
    }

    /// Patches an object that exists, whatever its revision. Ends as a commit of one write does; it is stale if
    /// others changed the object as often as the server tried.
    public Commit patch(ObjectPatch patch) {
        WriteRules.checkKey(patch.key());
        client.checkOpen();
        return writer.patch(patch, client.deadline());
    }

    /// Patches an object that must still be at this revision. Ends as a commit of one write does.
    public Commit patchAt(ObjectPatch patch, long revision) {
        WriteRules.checkKey(patch.key());
        WriteRules.checkRevision(revision);
        client.checkOpen();
        return writer.patchAt(patch, revision, client.deadline());
    }

    /// Asks the server whether writing the value would change the object, where the bytes differ.
    @Override
    public boolean holds(Document found, Bytes value) {
        if (found.value().equals(value)) {
            return true;
        }
        client.checkOpen();
        return writer.wouldChangeNothing(found, value, client.deadline());
    }

    @Override
    public boolean hasPlace(String key) {
        return map.locate(key).isPresent();
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public void close() {
        watches.forEach(KubernetesWatch::close);
        client.close();
        watches.forEach(KubernetesWatch::close);
    }
}
