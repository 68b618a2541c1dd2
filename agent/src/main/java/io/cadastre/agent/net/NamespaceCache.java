package io.cadastre.agent.net;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Reflector;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// The Namespaces of a cluster as a watch last reported them. One that it has not reported is read, and so is each
/// while the watch is broken.
///
/// What it answers may be out of date by the delay of the watch. Then a pod gets addresses from the pools that its
/// namespace named a moment ago; whether an address is free does not depend on it.
public final class NamespaceCache implements AutoCloseable {

    /// An agent without the right to list Namespaces asks for it this often.
    private static final Duration BEFORE_ASKING_AGAIN = Duration.ofMinutes(1);

    private final Datastore store;

    /// By key. As many as the cluster has Namespaces.
    private final Map<String, Document> known;

    private final Reflector reflector;

    private NamespaceCache(Datastore store, Map<String, Document> known, Reflector reflector) {
        this.store = store;
        this.known = known;
        this.reflector = reflector;
    }

    /// Begins to watch, and does not wait until all are known.
    public static NamespaceCache begin(Datastore store, Pause pause) {
        var known = new ConcurrentHashMap<String, Document>();
        return new NamespaceCache(store, known, Reflector.begin(store, pause, List.of(new Watcher(known, pause))));
    }

    /// Reads each Namespace when it is asked for.
    public static NamespaceCache unwatched(Datastore store, Pause pause) {
        return new NamespaceCache(store, Map.of(), Reflector.begin(store, pause, List.of()));
    }

    public Optional<Document> find(String key) {
        return Optional.ofNullable(known.get(key)).or(() -> store.get(key));
    }

    /// Whether it is known without being read.
    boolean knows(String key) {
        return known.containsKey(key);
    }

    @Override
    public void close() {
        reflector.close();
    }

    private record Watcher(Map<String, Document> known, Pause pause) implements Reflector.WatchHandler {

        @Override
        public String name() {
            return "namespace-cache";
        }

        @Override
        public String prefix() {
            return StoredPods.NAMESPACES;
        }

        @Override
        public OptionalLong list(Datastore listed) {
            var listing = listed.listAll(prefix());
            var keys = new HashSet<String>();
            for (var document : listing.documents()) {
                known.put(document.key(), document);
                keys.add(document.key());
            }
            known.keySet().retainAll(keys);
            return OptionalLong.of(listing.revision());
        }

        @Override
        public void change(Watch.Notice.Changed changed) {
            for (var change : changed.changes()) {
                switch (change) {
                    case Watch.Change.Put(var document) -> known.put(document.key(), document);
                    case Watch.Change.Deleted(var key, var _) -> known.remove(key);
                }
            }
        }

        @Override
        public void lost() {
            known.clear();
        }

        @Override
        public void failed(DatastoreException failure) {
            if (failure.kind() == DatastoreException.Kind.DENIED) {
                try {
                    pause.pause(BEFORE_ASKING_AGAIN);
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
