package io.cadastre.controller.watch;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Reflector;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Hands on what the store reports of one kind.
///
/// Lists are taken page by page, so that the documents of a large cluster are never in memory all at once;
/// what handlers keep of them is small. A failure that lasts is reported once.
final class SharedWatch implements Reflector.WatchHandler {

    private final List<KindHandler> handlers;
    private final Consumer<String> reports;
    private volatile boolean inSync;
    private String reported = "";

    /// @param handlers of one prefix, at least one
    SharedWatch(List<KindHandler> handlers, Consumer<String> reports) {
        this.handlers = List.copyOf(handlers);
        this.reports = reports;
    }

    String kind() {
        return handlers.getFirst().kind();
    }

    /// Whether everything was listed, and changes are reported since.
    boolean inSync() {
        return inSync;
    }

    @Override
    public String name() {
        return "watch-" + kind();
    }

    @Override
    public String prefix() {
        return handlers.getFirst().prefix();
    }

    @Override
    public OptionalLong list(Datastore store) {
        inSync = false;
        try {
            handlers.forEach(KindHandler::begin);
            long revision = store.scan(prefix(), page -> handlers.forEach(handler -> handler.fill(page)));
            handlers.forEach(handler -> handler.complete(revision));
            inSync = true;
            reported = "";
            return OptionalLong.of(revision);
        } catch (CompactedException _) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void change(Watch.Notice.Changed changed) {
        handlers.forEach(handler -> handler.change(changed));
    }

    @Override
    public void lost() {
        inSync = false;
        handlers.forEach(KindHandler::lost);
    }

    @Override
    public void failed(DatastoreException failure) {
        var sentence = "cannot follow %s: %s".formatted(prefix(), failure.getMessage());
        if (!sentence.equals(reported)) {
            reported = sentence;
            reports.accept(sentence);
        }
    }
}
