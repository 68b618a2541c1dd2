package io.cadastre.controller.collection;

import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.registry.Reflector;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Keeps the state of one subject as the store reports it.
///
/// Lists are taken page by page, so that the documents of a large cluster are never in memory all at once;
/// what is kept of them is small. A failure that lasts is reported once.
final class SubjectWatchHandler implements Reflector.WatchHandler {

    private final Subject subject;
    private final ClusterState state;
    private final Consumer<String> complaints;
    private String told = "";

    SubjectWatchHandler(Subject subject, ClusterState state, Consumer<String> complaints) {
        this.subject = subject;
        this.state = state;
        this.complaints = complaints;
    }

    @Override
    public String name() {
        return "follow-" + subject;
    }

    @Override
    public String prefix() {
        return subject.prefix();
    }

    @Override
    public OptionalLong list(Datastore store) {
        try {
            state.begin(subject);
            long revision = store.scan(prefix(), page -> state.fill(subject, page));
            state.complete(subject);
            told = "";
            return OptionalLong.of(revision);
        } catch (CompactedException _) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void change(Watch.Notice.Changed changed) {
        state.change(subject, changed);
    }

    @Override
    public void lost() {
        state.lost(subject);
    }

    @Override
    public void failed(DatastoreException failure) {
        var trouble = "cannot follow %s: %s".formatted(prefix(), failure.getMessage());
        if (!trouble.equals(told)) {
            told = trouble;
            complaints.accept(trouble);
        }
    }
}
