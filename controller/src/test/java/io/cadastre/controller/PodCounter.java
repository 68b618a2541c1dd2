package io.cadastre.controller;

import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A control loop that writes how many pods there are when it is elected.
final class PodCounter implements ControlLoop, KindHandler {

    private final String name;
    private final String key;
    private final Set<String> pods = ConcurrentHashMap.newKeySet();
    private final List<Datastore> fences = new CopyOnWriteArrayList<>();

    /// @param key where it writes
    PodCounter(String name, String key) {
        this.name = name;
        this.key = key;
    }

    /// The keys of the pods that it knows.
    Set<String> pods() {
        return pods;
    }

    /// The stores of its terms, in order.
    List<Datastore> fences() {
        return fences;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of(this);
    }

    @Override
    public String kind() {
        return "pods";
    }

    @Override
    public String prefix() {
        return CoreKeys.PODS;
    }

    @Override
    public void start() {}

    @Override
    public void begin() {
        pods.clear();
    }

    @Override
    public void fill(List<Document> documents) {
        documents.forEach(document -> pods.add(document.key()));
    }

    @Override
    public void complete(long revision) {}

    @Override
    public void change(Watch.Notice.Changed notice) {
        for (var change : notice.changes()) {
            switch (change) {
                case Watch.Change.Put(var document) -> pods.add(document.key());
                case Watch.Change.Deleted(var gone, var _) -> pods.remove(gone);
            }
        }
    }

    @Override
    public void lost() {}

    @Override
    public void elected(FencedDatastore fenced) {
        fences.add(fenced);
        fenced.commit(List.of(new Write.Create(key, Bytes.ofUtf8(Integer.toString(pods.size())))));
    }

    @Override
    public void dismissed() {}

    @Override
    public Duration sinceLastTurn() {
        return Duration.ZERO;
    }

    @Override
    public List<Metric> figures() {
        return List.of();
    }

    @Override
    public void close() {}
}
