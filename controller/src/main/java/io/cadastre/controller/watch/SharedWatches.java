package io.cadastre.controller.watch;

import io.cadastre.datastore.Datastore;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Reflector;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Lists and watches each kind once, for all handlers of it.
public final class SharedWatches implements AutoCloseable {

    private final List<SharedWatch> watches;
    private final Reflector reflector;

    private SharedWatches(List<SharedWatch> watches, Reflector reflector) {
        this.watches = watches;
        this.reflector = reflector;
    }

    /// Begins to watch, and does not wait until everything was listed for the first time.
    ///
    /// @param reports takes a sentence when the store fails
    public static SharedWatches begin(
            Datastore store, Pause pause, Collection<KindHandler> handlers, Consumer<String> reports) {
        var byPrefix = handlers.stream()
                .collect(Collectors.groupingBy(KindHandler::prefix, LinkedHashMap::new, Collectors.toList()));
        var watches = byPrefix.values().stream()
                .map(alike -> new SharedWatch(alike, reports))
                .toList();
        return new SharedWatches(watches, Reflector.begin(store, pause, watches));
    }

    /// The kinds that are not known at the moment.
    public List<String> missing() {
        return watches.stream()
                .filter(watch -> !watch.inSync())
                .map(SharedWatch::kind)
                .toList();
    }

    @Override
    public void close() {
        reflector.close();
    }
}
