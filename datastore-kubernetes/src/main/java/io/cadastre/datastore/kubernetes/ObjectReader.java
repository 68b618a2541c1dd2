package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Keys;
import io.cadastre.datastore.kubernetes.ApiJson.Item;
import io.cadastre.datastore.kubernetes.ApiJson.Metadata;
import io.cadastre.datastore.kubernetes.SeenObjects.Seen;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Reads objects, one or many, as documents.
final class ObjectReader {

    /// How many objects are asked for at once.
    private static final int PAGE_OBJECTS_MAX = 500;

    private static final int LIST_ATTEMPTS_MAX = 5;

    /// A list up to this length is likely to be of what is going to be rewritten.
    private static final int REMEMBERED_MAX = 256;

    private final ApiClient client;
    private final ResourceMap map;
    private final SeenObjects seen;

    ObjectReader(ApiClient client, ResourceMap map, SeenObjects seen) {
        this.client = client;
        this.map = map;
        this.seen = seen;
    }

    /// What was found, as it is, under a name.
    record Found(Seen seen, Metadata metadata, Content content) {}

    /// Which documents of a list are kept: the first of those under a prefix and after a key, which may be empty.
    record Extract(String prefix, String afterKey, int documentsMax) {}

    /// Documents at one revision.
    record Snapshot(NavigableMap<String, Document> documents, long revision) {}

    /// The object of this name, tombstone or not.
    Optional<Found> find(ObjectName name, Deadline deadline) {
        var answer = client.read(ApiRequest.get(name), deadline);
        if (!answer.good()) {
            seen.forget(name);
            return Optional.empty();
        }
        var metadata = ApiJson.metadata(answer.body());
        var object = new Seen(answer.body(), metadata.revision());
        var content = map.read(name.resource(), answer.body());
        // A tombstone must not be rewritten as if it were a document.
        if (content instanceof Content.Present) {
            seen.remember(name, object);
        }
        return Optional.of(new Found(object, metadata, content));
    }

    /// Removes the object of a deleted document. It need not succeed: the next process that finds the
    /// tombstone tries again.
    void bury(ObjectName name, Metadata metadata, Deadline deadline) {
        seen.forget(name);
        try {
            client.write(ApiRequest.delete(name, "uid", metadata.uid()), deadline);
        } catch (DatastoreException left) {
            // For every reader, the document is already gone.
        }
    }

    Snapshot snapshot(Extract extract, Deadline deadline) {
        // Objects may change so fast that the first pages are forgotten before the last is read.
        for (int attempt = 1; ; attempt++) {
            try {
                return read(extract, Optional.empty(), deadline);
            } catch (CompactedException outrun) {
                if (attempt == LIST_ATTEMPTS_MAX) {
                    throw outrun;
                }
            }
        }
    }

    /// @throws CompactedException if the server no longer knows that revision
    Snapshot snapshotAt(Extract extract, long revision, Deadline deadline) {
        return read(extract, Optional.of(revision), deadline);
    }

    /// Passes on the documents of each page as the server gives it.
    ///
    /// @throws CompactedException if the server forgot the revision of the first page before the last
    long scan(String prefix, Consumer<List<Document>> pages) {
        var revision = Optional.<Long>empty();
        for (var scope : map.scopes(prefix)) {
            revision = Optional.of(read(
                    scope,
                    revision,
                    client::deadline,
                    items -> pages.accept(documents(scope, prefix, items).stream()
                            .map(Listed::document)
                            .toList())));
        }
        return revision.orElse(0L);
    }

    /// Reads the first collection as it is now or at a revision, and the others at the same one: all
    /// collections have their revisions from one counter.
    private Snapshot read(Extract extract, Optional<Long> asked, Deadline deadline) {
        var documents = new TreeMap<String, Document>(Keys.ORDER);
        var revision = asked;
        for (var scope : map.scopes(extract.prefix())) {
            var read = new AtomicInteger();
            revision = Optional.of(read(scope, revision, () -> deadline, items -> {
                boolean few = read.addAndGet(items.size()) <= REMEMBERED_MAX;
                for (var listed : documents(scope, extract.prefix(), items)) {
                    keep(documents, listed.document(), extract);
                    if (few) {
                        seen.remember(
                                name(scope, listed.item().metadata()),
                                new Seen(
                                        listed.item().object(),
                                        listed.item().metadata().revision()));
                    }
                }
            }));
        }
        return new Snapshot(documents, revision.orElse(0L));
    }

    private static void keep(NavigableMap<String, Document> documents, Document document, Extract extract) {
        if (Keys.ORDER.compare(document.key(), extract.afterKey()) > 0) {
            documents.put(document.key(), document);
            if (documents.size() > extract.documentsMax()) {
                documents.pollLastEntry();
            }
        }
    }

    /// A document of a list, and the object that it is.
    private record Listed(Document document, Item item) {}

    private List<Listed> documents(Scope scope, String prefix, List<Item> items) {
        var documents = new ArrayList<Listed>(items.size());
        for (var item : items) {
            if (map.read(scope.resource(), item.object()) instanceof Content.Present(var key, var value)
                    && key.startsWith(prefix)) {
                documents.add(
                        new Listed(new Document(key, value, item.metadata().revision()), item));
            }
        }
        return documents;
    }

    /// Reads a collection, a page of the server at a time.
    ///
    /// @param deadlines is asked before each page
    /// @return the revision of all pages
    private long read(Scope scope, Optional<Long> asked, Supplier<Deadline> deadlines, Consumer<List<Item>> pages) {
        var query = new LinkedHashMap<String, String>();
        query.put("limit", Integer.toString(PAGE_OBJECTS_MAX));
        if (!scope.labelSelector().isEmpty()) {
            query.put("labelSelector", scope.labelSelector());
        }
        asked.ifPresent(exact -> {
            query.put("resourceVersion", Long.toString(exact));
            query.put("resourceVersionMatch", "Exact");
        });
        var page = readPage(scope, query, asked.orElse(0L), deadlines.get());
        long revision = page.revision();
        pages.accept(page.items());
        query.remove("resourceVersion");
        query.remove("resourceVersionMatch");
        // Ends: each page begins after the last object of the one before.
        while (!page.next().isEmpty()) {
            query.put("continue", page.next());
            page = readPage(scope, query, revision, deadlines.get());
            pages.accept(page.items());
        }
        return revision;
    }

    private ApiJson.Page readPage(Scope scope, Map<String, String> query, long revision, Deadline deadline) {
        var request = ApiRequest.list(scope, query);
        var answer = client.read(request, deadline);
        if (ApiFailures.expired(answer.code())) {
            // The server does not say which revision it still knows.
            throw new CompactedException(revision, revision + 1);
        }
        if (!answer.good()) {
            throw client.refusal(request, answer);
        }
        return ApiJson.page(answer.body());
    }

    static ObjectName name(Scope scope, Metadata metadata) {
        return new ObjectName(scope.resource(), metadata.namespace(), metadata.name());
    }
}
