package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.IndependentWrites;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.WriteRules;
import io.cadastre.datastore.kubernetes.ObjectReader.Extract;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ResourceMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// Documents as objects of the Kubernetes API. Revisions are resource versions.
///
/// - A commit is applied **one write after another**; independent writes are applied at once. Each write costs one
///   request, a deletion two, and one more where the object was not seen lately.
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

    /// This many independent writes are under way at a time, as many as the node allocator of Kubernetes has.
    private static final int WRITERS_MAX = 30;

    private final ApiClient client;
    private final ResourceMap map;
    private final SeenObjects seen = new SeenObjects();
    private final ObjectReader objects;
    private final ObjectWriter writer;
    private final Set<KubernetesWatch> watches = ConcurrentHashMap.newKeySet();

    KubernetesDatastore(ApiClient client, ResourceMap map) {
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
        return new KubernetesDatastore(ApiClient.of(settings, chance), map);
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

    /// The object that holds a document, with all that the server says of it.
    public Optional<Bytes> fetchObject(String key) {
        WriteRules.checkKey(key);
        client.checkOpen();
        return map.locate(key)
                .flatMap(name -> objects.find(name, client.deadline()))
                .map(found -> found.seen().object());
    }

    /// Several at a time, each by a request of its own.
    @Override
    public Map<String, Document> getAll(List<String> keys) {
        if (keys.size() < 2) {
            return Datastore.super.getAll(keys);
        }
        var found = new LinkedHashMap<String, Document>();
        var answers = inParallel(READERS_MAX, keys, this::get);
        keys.forEach(key ->
                joined(Objects.requireNonNull(answers.get(key))).ifPresent(document -> found.put(key, document)));
        return found;
    }

    /// Makes a call for each of the arguments, several at a time, and returns when all have ended.
    private static <A, R> Map<A, Future<R>> inParallel(int callsMax, List<A> arguments, Function<A, R> call) {
        var answers = new LinkedHashMap<A, FutureTask<R>>();
        arguments.forEach(argument -> answers.put(argument, new FutureTask<>(() -> call.apply(argument))));
        var rest = new ConcurrentLinkedQueue<>(answers.values());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < Math.min(callsMax, answers.size()); thread++) {
                threads.execute(() -> {
                    // Ends: each round takes one call.
                    for (var next = rest.poll(); next != null; next = rest.poll()) {
                        next.run();
                    }
                });
            }
        }
        return Collections.unmodifiableMap(answers);
    }

    /// What a call has answered that has ended.
    private static <R> R joined(Future<R> ended) {
        return switch (ended.state()) {
            case SUCCESS -> ended.resultNow();
            case FAILED -> {
                if (ended.exceptionNow() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw new IllegalStateException(ended.exceptionNow());
            }
            case RUNNING, CANCELLED -> throw new IllegalStateException("a call has not ended");
        };
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

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        if (writes.size() == 1) {
            return List.of(commit(writes));
        }
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        client.checkOpen();
        var deadline = client.deadline();
        var answers = inParallel(WRITERS_MAX, copy, write -> writer.commit(List.of(write), deadline));
        return IndependentWrites.commits(copy, write -> joined(Objects.requireNonNull(answers.get(write))));
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
