package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.Holding;
import io.cadastre.engine.pool.AddressPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// The objects that users write, and the ranges that other dialects in the store give addresses of.
///
/// Not safe for use by several threads: what a rule asks for may be read then.
public final class ObjectView {

    private final Objects objects;
    private final Supplier<List<Holding>> neighbours;
    private final Host host;

    /// What keeps the objects.
    public enum Host {
        /// An API server: it keeps an object with a finalizer until that is taken off, and takes the status by a write
        /// of its own.
        API_SERVER,

        /// A store of documents, which does with each what its writer says.
        DOCUMENTS;

        /// A store without transactions is the API of Kubernetes.
        static Host of(Datastore store) {
            return store.atomic() ? DOCUMENTS : API_SERVER;
        }
    }

    /// Where the objects are looked up.
    private interface Objects {

        Optional<Document> find(String key);

        List<Document> all(String prefix);
    }

    private ObjectView(Objects objects, Supplier<List<Holding>> neighbours, Host host) {
        this.objects = objects;
        this.neighbours = neighbours;
        this.host = host;
    }

    /// A view of what was read.
    public ObjectView(List<Document> documents, List<Holding> neighbours, Host host) {
        this(new Documents(documents), () -> neighbours, host);
    }

    /// A view of what a store has when a rule asks for it. Each list is read once.
    ///
    /// @param neighbours reads the ranges that other dialects in the store give addresses of
    public static ObjectView of(Datastore store, Function<Datastore, List<Holding>> neighbours) {
        return new ObjectView(new Stored(store, new HashMap<>()), once(() -> neighbours.apply(store)), Host.of(store));
    }

    private static <T> Supplier<T> once(Supplier<T> read) {
        var values = new ArrayList<T>(1);
        return () -> {
            if (values.isEmpty()) {
                values.add(read.get());
            }
            return values.getFirst();
        };
    }

    private record Documents(List<Document> documents) implements Objects {

        private Documents {
            documents = List.copyOf(documents);
        }

        @Override
        public Optional<Document> find(String key) {
            return documents.stream()
                    .filter(document -> document.key().equals(key))
                    .findFirst();
        }

        @Override
        public List<Document> all(String prefix) {
            return documents.stream()
                    .filter(document -> document.key().startsWith(prefix))
                    .toList();
        }
    }

    /// @param lists that were read, by their prefixes
    private record Stored(Datastore store, Map<String, List<Document>> lists) implements Objects {

        @Override
        public Optional<Document> find(String key) {
            return store.get(key);
        }

        @Override
        public List<Document> all(String prefix) {
            return lists.computeIfAbsent(prefix, wanted -> SpiderRanges.fetchAll(store, wanted));
        }
    }

    public Host host() {
        return host;
    }

    /// The ranges that other dialects in the store give addresses of.
    List<Holding> neighbours() {
        return neighbours.get();
    }

    Optional<Document> find(String key) {
        return objects.find(key);
    }

    /// Whether there is an object of this kind and name.
    public boolean stores(SpiderKind kind, String name) {
        return !name.isEmpty() && find(kind.key(name)).isPresent();
    }

    /// All subnets.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read
    List<SpiderSubnetDocument> subnets() {
        return objects.all(SpiderKeys.SUBNETS).stream()
                .map(document -> SpiderSubnetDocument.decode(
                        document.key().substring(SpiderKeys.SUBNETS.length()), document.value()))
                .toList();
    }

    /// All pools but one.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if one of them cannot be read, since it is
    ///     then unknown what it overlaps
    List<AddressPool> poolsBut(String name) {
        return objects.all(SpiderKeys.POOLS).stream()
                .filter(document -> !document.key().equals(SpiderKeys.pool(name)))
                .map(document -> SpiderPoolDocument.decode(
                                document.key().substring(SpiderKeys.POOLS.length()), document.value())
                        .pool())
                .toList();
    }
}
