package io.cadastre.controller.collection;

import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.collect.BlockCollector.Scope;
import io.cadastre.wire.calico.crd.CalicoObjects;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the watches have reported, and which of it the collector has not looked at yet.
///
/// Safe for use by any number of threads.
final class ClusterState {

    private final ClusterSource source;
    private final Consumer<SweepTrigger> triggers;

    /// Guards everything below, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    private final StringPool texts = new StringPool();
    private final CalicoState calico = new CalicoState(texts);
    private final PodsAndNodes pods = new PodsAndNodes(texts);
    private final Set<Subject> known = EnumSet.noneOf(Subject.class);
    private final SortedSet<String> dirtyNodes = new TreeSet<>();
    private boolean everythingDirty = true;

    /// What was returned last, until something changes: with many nodes it takes long to make.
    private @Nullable ClusterSnapshot derived;

    /// @param triggers is called whenever there is something to look at
    ClusterState(ClusterSource source, Consumer<SweepTrigger> triggers) {
        this.source = source;
        this.triggers = triggers;
    }

    /// Everything about the subject is reported anew from now on.
    void begin(Subject subject) {
        lock.lock();
        try {
            known.remove(subject);
            derived = null;
            switch (subject) {
                case PODS -> pods.forgetPods();
                case ENDPOINTS -> pods.forgetEndpoints();
                case KUBERNETES_NODES -> {
                    pods.forgetNodes();
                    if (source == ClusterSource.KUBERNETES) {
                        calico.forget(Subject.NODES);
                    }
                }
                default -> calico.forget(subject);
            }
        } finally {
            lock.unlock();
        }
    }

    /// These are among its documents.
    void fill(Subject subject, List<Document> documents) {
        lock.lock();
        try {
            derived = null;
            documents.forEach(document -> put(subject, document));
        } finally {
            lock.unlock();
        }
    }

    /// That was all.
    void complete(Subject subject) {
        lock.lock();
        try {
            known.add(subject);
            if (!inSync()) {
                return;
            }
            everythingDirty = true;
        } finally {
            lock.unlock();
        }
        triggers.accept(SweepTrigger.EVERYTHING);
    }

    /// This has changed.
    void change(Subject subject, Watch.Notice.Changed notice) {
        boolean all = false;
        boolean news = false;
        lock.lock();
        try {
            boolean wasReady = calico.ready();
            for (var change : notice.changes()) {
                switch (change) {
                    case Watch.Change.Put(var document) -> {
                        // Kubelets write often, and mostly what does not matter here.
                        if (subject != Subject.KUBERNETES_NODES || differs(document)) {
                            news = true;
                            dirtyNodes.addAll(put(subject, document));
                        }
                    }
                    case Watch.Change.Deleted(var key, var _) -> {
                        news = true;
                        dirtyNodes.addAll(remove(subject, key));
                        all |= subject == Subject.KUBERNETES_NODES || subject == Subject.NODES;
                    }
                }
            }
            all |= calico.ready() && !wasReady;
            everythingDirty |= all;
            if (!news) {
                return;
            }
            derived = null;
            if (!inSync()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        triggers.accept(all ? SweepTrigger.EVERYTHING : SweepTrigger.CHANGED);
    }

    /// Whether the node of Kubernetes is not known as it is in the document.
    private boolean differs(Document document) {
        if (!pods.knows(document)) {
            return true;
        }
        return source == ClusterSource.KUBERNETES
                && !CalicoObjects.findNode(document).map(calico::knows).orElse(false);
    }

    private SortedSet<String> put(Subject subject, Document document) {
        return switch (subject) {
            case PODS -> {
                pods.putPod(document);
                yield Collections.emptySortedSet();
            }
            case ENDPOINTS -> {
                pods.putEndpoint(document);
                yield Collections.emptySortedSet();
            }
            case KUBERNETES_NODES -> {
                pods.putNode(document);
                yield source == ClusterSource.KUBERNETES ? putNode(document) : Collections.emptySortedSet();
            }
            default -> calico.put(document);
        };
    }

    /// Where Kubernetes is the store of Calico, a node of the one is a node of the other.
    private SortedSet<String> putNode(Document document) {
        var key = CalicoObjects.nodeKeyOf(document.key());
        return CalicoObjects.findNode(document)
                .map(node -> calico.putNode(key, node))
                .orElseGet(() -> calico.putUnreadable(key));
    }

    private SortedSet<String> remove(Subject subject, String key) {
        return switch (subject) {
            case PODS ->
                new TreeSet<>(pods.removePod(key).map(this::calicoNames).orElse(List.of()));
            case ENDPOINTS -> {
                pods.removeEndpoint(key);
                yield Collections.emptySortedSet();
            }
            case KUBERNETES_NODES -> {
                pods.removeNode(key);
                yield source == ClusterSource.KUBERNETES
                        ? calico.remove(CalicoObjects.nodeKeyOf(key))
                        : Collections.emptySortedSet();
            }
            default -> calico.remove(key);
        };
    }

    /// What Calico calls a node of Kubernetes: mostly the same.
    private List<String> calicoNames(String kubernetesName) {
        var names = new TreeSet<>(List.of(kubernetesName));
        calico.nodes().forEach((name, other) -> {
            if (other.equals(kubernetesName)) {
                names.add(name);
            }
        });
        return List.copyOf(names);
    }

    /// Changes are not reported any more.
    void lost(Subject subject) {
        lock.lock();
        try {
            known.remove(subject);
        } finally {
            lock.unlock();
        }
    }

    private boolean inSync() {
        return known.containsAll(source.followed());
    }

    /// How things are; empty while something is not known.
    Optional<ClusterSnapshot> snapshot() {
        lock.lock();
        try {
            if (!inSync()) {
                return Optional.empty();
            }
            if (derived != null) {
                return Optional.of(derived);
            }
            var nodes = calico.nodes();
            var kubernetesNodes = pods.nodes();
            var migrating = new TreeSet<String>();
            // One that Calico does not know may have the same name.
            var living = new TreeSet<>(kubernetesNodes);
            boolean acquainted = false;
            for (var node : nodes.entrySet()) {
                boolean there = kubernetesNodes.contains(node.getValue());
                acquainted |= there;
                if (there || node.getValue().isEmpty()) {
                    living.add(node.getKey());
                } else {
                    living.remove(node.getKey());
                }
                if (pods.migrating(node.getValue())) {
                    migrating.add(node.getKey());
                }
            }
            derived = new ClusterSnapshot(
                    calico.view(),
                    pods.liveOwners(migrating, living),
                    nodes,
                    calico.ready(),
                    acquainted && pods.inhabited());
            return Optional.of(derived);
        } finally {
            lock.unlock();
        }
    }

    /// What is to be looked at. From now on it counts as looked at.
    Scope takeScope() {
        lock.lock();
        try {
            Scope scope = everythingDirty ? new Scope.Everything() : new Scope.Nodes(new TreeSet<>(dirtyNodes));
            everythingDirty = false;
            dirtyNodes.clear();
            return scope;
        } finally {
            lock.unlock();
        }
    }

    /// This is to be looked at once more.
    void markDirty(Scope scope) {
        lock.lock();
        try {
            switch (scope) {
                case Scope.Everything _ -> everythingDirty = true;
                case Scope.Nodes(var names) -> dirtyNodes.addAll(names);
            }
        } finally {
            lock.unlock();
        }
    }
}
