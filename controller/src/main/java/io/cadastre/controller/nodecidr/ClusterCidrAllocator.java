package io.cadastre.controller.nodecidr;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrEngine;
import io.cadastre.engine.nodecidr.clustercidr.Registration;
import io.cadastre.engine.nodecidr.clustercidr.Retirement;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrDocument;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Blocks of ClusterCIDRs for Nodes, and the life of the ClusterCIDRs: each gets a finalizer when it is taken into use,
/// and loses it when it is deleted and no Node has anything of it.
final class ClusterCidrAllocator implements Allocator {

    private static final String QUEUE = "multi_cidr_range_allocator_cidr";
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /// A ClusterCIDR needs two writes at most, and each is followed by another look.
    private static final int LOOKS_MAX = 4;

    private final ControllerContext context;
    private final NodeIpamSettings.AllocatorType.ClusterCidrs settings;
    private final WorkQueue<String> queue;
    private final FailureReports failures;
    private final LoopThreads threads;

    /// Guards the fields below. It is never held when the law is asked for.
    private final ReentrantLock lock = new ReentrantLock();

    /// In the order in which they came.
    private final SequencedMap<String, Stored> known = new LinkedHashMap<>();

    private final SequencedMap<String, Stored> listing = new LinkedHashMap<>();
    private boolean listed;

    /// Whether the one that the flags stand for is still to be created in this term, unless it is there.
    private boolean defaultAwaited;

    private @Nullable Leadership leadership;

    /// A ClusterCIDR as it was stored.
    private record Stored(ClusterCidrDocument document, long revision) {

        ClusterCidr clusterCidr() {
            return document.clusterCidr();
        }
    }

    ClusterCidrAllocator(ControllerContext context, NodeIpamSettings.AllocatorType.ClusterCidrs settings) {
        this.context = context;
        this.settings = settings;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.failures = new FailureReports(context);
        this.threads = new LoopThreads(context);
    }

    @Override
    public String component() {
        return "multiCIDRRangeAllocator";
    }

    @Override
    public String queue() {
        return "multi_cidr_range_allocator_node";
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of(new Handler());
    }

    @Override
    public boolean ready() {
        lock.lock();
        try {
            return listed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CidrLaw begin(Collection<NodeObject> nodes) {
        lock.lock();
        try {
            var present = known.values().stream().map(Stored::clusterCidr).toList();
            return new ClusterCidrLaw(settings.serviceRanges(), present, nodes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(Leadership access) {
        leadership = access;
        threads.repeat("cluster-cidrs", () -> queue.take(LOOK_UP).ifPresent(name -> turn(access, name)));
    }

    @Override
    public void elected() {
        lock.lock();
        try {
            defaultAwaited = settings.config().isPresent() && !known.containsKey(ClusterCidr.DEFAULT_NAME);
            known.keySet().forEach(queue::add);
        } finally {
            lock.unlock();
        }
        queue.add(ClusterCidr.DEFAULT_NAME);
    }

    /// Follows the ClusterCIDRs of the group.
    private final class Handler implements KindHandler {

        @Override
        public String kind() {
            return "clustercidrs";
        }

        @Override
        public String prefix() {
            return settings.group().keys();
        }

        @Override
        public void begin() {
            listing.clear();
        }

        @Override
        public void fill(List<Document> documents) {
            documents.forEach(document -> read(document)
                    .ifPresent(stored -> listing.put(stored.clusterCidr().name(), stored)));
        }

        @Override
        public void complete(long revision) {
            lock.lock();
            try {
                known.keySet().forEach(queue::add);
                known.keySet().retainAll(listing.keySet());
                known.putAll(listing);
                known.keySet().forEach(queue::add);
                listed = true;
            } finally {
                lock.unlock();
            }
            changed();
        }

        @Override
        public void change(Watch.Notice.Changed notice) {
            for (var change : notice.changes()) {
                switch (change) {
                    case Watch.Change.Put(var document) -> read(document).ifPresent(this::put);
                    case Watch.Change.Deleted(var key, var _) -> remove(key);
                }
            }
        }

        private void put(Stored stored) {
            var name = stored.clusterCidr().name();
            lock.lock();
            try {
                known.put(name, stored);
            } finally {
                lock.unlock();
            }
            queue.add(name);
        }

        private void remove(String key) {
            var name = key.substring(settings.group().keys().length());
            lock.lock();
            try {
                known.remove(name);
                failures.forget(name);
            } finally {
                lock.unlock();
            }
            queue.add(name);
        }

        @Override
        public void lost() {
            // What is known stays known; the next list corrects it.
        }
    }

    private void changed() {
        var access = leadership;
        if (access != null) {
            access.moreIsFree();
        }
    }

    private Optional<Stored> read(Document document) {
        try {
            return Optional.of(new Stored(ClusterCidrDocument.decode(document), document.revision()));
        } catch (UnreadableDocumentException unreadable) {
            failures.report(document.key(), "cannot read a ClusterCIDR: " + unreadable.getMessage());
            return Optional.empty();
        }
    }

    private void turn(Leadership access, String name) {
        boolean settled = false;
        try {
            settled = settle(access, name);
        } catch (LeadershipLostException deposed) {
            // The next leader looks at all ClusterCIDRs.
            settled = true;
        } catch (DatastoreException failed) {
            failures.report(name, "cannot write ClusterCIDR %s: %s".formatted(name, failed.getMessage()));
        } finally {
            if (settled) {
                queue.succeeded(name);
            } else {
                queue.retry(name);
            }
            queue.done(name);
        }
    }

    /// Whether nothing is left to be tried again.
    private boolean settle(Leadership access, String name) {
        var stored = find(name);
        if (stored.isEmpty()) {
            return vanished(access, name) && (!name.equals(ClusterCidr.DEFAULT_NAME) || createDefault(access));
        }
        var latest = stored.get();
        // Ends: each further look follows a write.
        for (int look = 1; look <= LOOKS_MAX; look++) {
            var seen = latest.clusterCidr();
            var left = access.withLaw(law -> look((ClusterCidrLaw) law, seen));
            changed();
            if (left.isEmpty() || left.get().write().isEmpty()) {
                left.flatMap(Left::fault).ifPresent(fault -> failures.report(name, fault));
                return left.flatMap(Left::fault).isEmpty() || !seen.terminating();
            }
            var document = left.get().write().get() instanceof ClusterCidrChange.AddFinalizer
                    ? latest.document().withFinalizer()
                    : latest.document().withoutFinalizer();
            var revision = write(access, new Write.Update(document.key(), document.encode(), latest.revision()));
            if (revision.isEmpty()) {
                return false;
            }
            latest = new Stored(document, revision.get());
        }
        return false;
    }

    private Optional<Stored> find(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(known.get(name));
        } finally {
            lock.unlock();
        }
    }

    /// What is left of a look.
    ///
    /// @param write is to be done before another look
    private record Left(Optional<ClusterCidrChange> write, Optional<String> fault) {}

    private static Left look(ClusterCidrLaw law, ClusterCidr seen) {
        if (seen.terminating()) {
            var decision = ClusterCidrEngine.retire(law.view(), seen);
            var rest = law.takeUntilWrite(decision);
            return new Left(
                    rest.stream().findFirst(),
                    switch (decision.outcome()) {
                        case Retirement.Retired _ -> Optional.empty();
                        case Retirement.InUse inUse -> Optional.of(inUse.sentence());
                    });
        }
        var decision = ClusterCidrEngine.register(law.view(), seen);
        var rest = law.takeUntilWrite(decision);
        return new Left(
                rest.stream().findFirst(),
                switch (decision.outcome()) {
                    case Registration.Registered _ -> Optional.empty();
                    case Registration.Unusable(var _, var fault) -> Optional.of(fault);
                });
    }

    private boolean vanished(Leadership access, String name) {
        access.withLaw(law -> {
            var clusterCidrs = (ClusterCidrLaw) law;
            if (clusterCidrs.view().findEntry(name).isPresent()) {
                clusterCidrs.apply(new ClusterCidrChange.Unregister(name));
            }
            return name;
        });
        return true;
    }

    /// Whether nothing is left to be tried again. One that is deleted later does not come back before the next term.
    private boolean createDefault(Leadership access) {
        List<ClusterCidr> existing;
        lock.lock();
        try {
            if (!defaultAwaited) {
                return true;
            }
            existing = known.values().stream().map(Stored::clusterCidr).toList();
        } finally {
            lock.unlock();
        }
        var decision =
                ClusterCidrEngine.createDefault(existing, settings.config().orElseThrow());
        if (decision.outcome() instanceof Registration.Unusable(var name, var fault)) {
            failures.report(name, "the ClusterCIDR %s cannot be made of --cluster-cidr: %s".formatted(name, fault));
        }
        for (var change : decision.changes()) {
            if (change instanceof ClusterCidrChange.CreateObject(var wanted)) {
                var document = ClusterCidrDocument.create(settings.group(), wanted, context.now());
                if (!create(access, new Write.Create(document.key(), document.encode()))) {
                    return false;
                }
            }
        }
        lock.lock();
        try {
            defaultAwaited = false;
        } finally {
            lock.unlock();
        }
        return true;
    }

    /// Whether it exists now. If that is not known, it is tried again.
    private static boolean create(Leadership access, Write.Create write) {
        return access.store()
                .map(store -> !(store.commit(List.of(write)) instanceof Commit.Unknown))
                .orElse(true);
    }

    /// The revision, or empty if it was not written or that is not known.
    private Optional<Long> write(Leadership access, Write write) {
        var store = access.store();
        if (store.isEmpty()) {
            return Optional.empty();
        }
        FencedDatastore fenced = store.get();
        return fenced.commit(List.of(write)) instanceof Commit.Done(var revisions)
                ? Optional.of(revisions.getFirst())
                : Optional.empty();
    }

    @Override
    public List<Metric> figures() {
        return queue.figures(QUEUE);
    }

    @Override
    public void close() {
        threads.close();
    }
}
