package io.cadastre.controller.collection;

import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.BlockCollector.Scope;
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

/// What the watches have told, and what of it nobody has looked at yet.
///
/// Safe for use by any number of threads.
final class ClusterState {

    private final ClusterSource source;
    private final Consumer<Errand> errands;

    /// Guards everything below, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    private final Texts texts = new Texts();
    private final Estate estate = new Estate(texts);
    private final Residents residents = new Residents(texts);
    private final Set<Subject> known = EnumSet.noneOf(Subject.class);
    private final SortedSet<String> dirtyNodes = new TreeSet<>();
    private boolean everythingDirty = true;

    /// @param errands is told whenever there is something to look at
    ClusterState(ClusterSource source, Consumer<Errand> errands) {
        this.source = source;
        this.errands = errands;
    }

    /// Everything about the subject is told anew from now on.
    void begin(Subject subject) {
        lock.lock();
        try {
            known.remove(subject);
            switch (subject) {
                case PODS -> residents.forgetPods();
                case ENDPOINTS -> residents.forgetEndpoints();
                case KUBERNETES_NODES -> {
                    residents.forgetNodes();
                    if (source == ClusterSource.KUBERNETES) {
                        estate.forget(Subject.NODES);
                    }
                }
                default -> estate.forget(subject);
            }
        } finally {
            lock.unlock();
        }
    }

    /// These are among its documents.
    void fill(Subject subject, List<Document> documents) {
        lock.lock();
        try {
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
        errands.accept(Errand.EVERYTHING);
    }

    /// This has changed.
    void change(Subject subject, Watch.Notice.Changed notice) {
        boolean all = false;
        lock.lock();
        try {
            boolean wasReady = estate.ready();
            for (var change : notice.changes()) {
                switch (change) {
                    case Watch.Change.Put(var document) ->
                            dirtyNodes.addAll(put(subject, document));
                    case Watch.Change.Deleted(var key, _) -> {
                        dirtyNodes.addAll(remove(subject, key));
                        all |= subject == Subject.KUBERNETES_NODES || subject == Subject.NODES;
                    }
                }
            }
            all |= estate.ready() && !wasReady;
            everythingDirty |= all;
            if (!inSync()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        errands.accept(all ? Errand.EVERYTHING : Errand.CHANGED);
    }

    private SortedSet<String> put(Subject subject, Document document) {
        return switch (subject) {
            case PODS -> {
                residents.putPod(document);
                yield Collections.emptySortedSet();
            }
            case ENDPOINTS -> {
                residents.putEndpoint(document);
                yield Collections.emptySortedSet();
            }
            case KUBERNETES_NODES -> {
                residents.putNode(document);
                yield source == ClusterSource.KUBERNETES
                        ? estate.put(CalicoObjects.nodeOf(document))
                        : Collections.emptySortedSet();
            }
            default -> estate.put(document);
        };
    }

    private SortedSet<String> remove(Subject subject, String key) {
        return switch (subject) {
            case PODS ->
                    new TreeSet<>(
                            residents.removePod(key).map(this::calicoNames).orElse(List.of()));
            case ENDPOINTS -> {
                residents.removeEndpoint(key);
                yield Collections.emptySortedSet();
            }
            case KUBERNETES_NODES -> {
                residents.removeNode(key);
                yield source == ClusterSource.KUBERNETES
                        ? estate.remove(CalicoObjects.nodeKeyOf(key))
                        : Collections.emptySortedSet();
            }
            default -> estate.remove(key);
        };
    }

    /// What Calico calls a node of Kubernetes: mostly the same.
    private List<String> calicoNames(String kubernetesName) {
        var names = new TreeSet<>(List.of(kubernetesName));
        estate.nodes()
                .forEach(
                        (name, other) -> {
                            if (other.equals(kubernetesName)) {
                                names.add(name);
                            }
                        });
        return List.copyOf(names);
    }

    /// Nobody tells any more what changes.
    void lost(Subject subject) {
        lock.lock();
        try {
            known.remove(subject);
        } finally {
            lock.unlock();
        }
    }

    /// What is not known at the moment.
    Set<Subject> missing() {
        lock.lock();
        try {
            var missing = source.followed();
            missing.removeAll(known);
            return missing;
        } finally {
            lock.unlock();
        }
    }

    private boolean inSync() {
        return known.containsAll(source.followed());
    }

    /// How things are; empty while something is not known.
    Optional<Picture> picture() {
        lock.lock();
        try {
            if (!inSync()) {
                return Optional.empty();
            }
            var nodes = estate.nodes();
            var kubernetesNodes = residents.nodes();
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
                if (residents.migrating(node.getValue())) {
                    migrating.add(node.getKey());
                }
            }
            return Optional.of(
                    new Picture(
                            estate.view(),
                            residents.population(migrating, living),
                            nodes,
                            estate.ready(),
                            acquainted && residents.inhabited()));
        } finally {
            lock.unlock();
        }
    }

    /// What is to be looked at. From now on it counts as looked at.
    Scope takeScope() {
        lock.lock();
        try {
            Scope scope =
                    everythingDirty
                            ? new Scope.Everything()
                            : new Scope.Nodes(new TreeSet<>(dirtyNodes));
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
