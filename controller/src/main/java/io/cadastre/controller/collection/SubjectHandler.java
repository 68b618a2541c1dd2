package io.cadastre.controller.collection;

import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import java.util.List;
import java.util.Locale;

/// Keeps the state of one subject.
record SubjectHandler(Subject subject, ClusterState state) implements KindHandler {

    @Override
    public String kind() {
        return subject.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String prefix() {
        return subject.prefix();
    }

    @Override
    public void begin() {
        state.begin(subject);
    }

    @Override
    public void fill(List<Document> documents) {
        state.fill(subject, documents);
    }

    @Override
    public void complete(long revision) {
        state.complete(subject);
    }

    @Override
    public void change(Watch.Notice.Changed notice) {
        state.change(subject, notice);
    }

    @Override
    public void lost() {
        state.lost(subject);
    }
}
