package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeCidrHistory;
import io.cadastre.controller.nodecidr.NodeEvents;
import io.cadastre.controller.nodecidr.NodeIpam;
import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.controller.nodecidr.cloud.CloudAllocator.Pace;
import io.cadastre.controller.nodecidr.cloud.CloudTurn.Ending;
import io.cadastre.controller.pages.Metric;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.SyncView;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.MachineNode;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keeps Nodes in step with the alias ranges of their machines while its process leads.
public final class CloudIpam implements ControlLoop {

    private static final String QUEUE = "cidrallocator_cloud_node";

    /// Each allocator sets the pace of its retries itself.
    private static final Backoff UNUSED = Backoff.DEFAULT;

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final CloudIpamSettings settings;
    private final CloudProvider cloud;
    private final NodeWriter writer;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    private final LoopThreads threads = new LoopThreads();

    /// The Nodes as they were listed and changed since.
    private final Map<String, MachineNode> nodes = new HashMap<>();

    /// What the list that is under way has brought so far.
    private final Map<String, MachineNode> listing = new HashMap<>();

    /// Attempts that failed in a row, of each Node whose last one did.
    private final Map<String, Integer> failures = new HashMap<>();

    private final Map<String, String> reported = new HashMap<>();

    /// Nodes that are worked on.
    private final Set<String> working = new HashSet<>();

    /// The revision of the last own write to a Node. What the watch shows of it from before is no news.
    private final Map<String, Long> written = new HashMap<>();

    /// Nodes that were deleted while a new leader lists all Nodes.
    private final Set<String> deletedMeanwhile = new HashSet<>();

    /// Present while this process leads.
    private @Nullable FencedDatastore fenced;

    /// Present once the present leader knows the Nodes.
    private @Nullable Term term;

    private Optional<String> fault = Optional.empty();

    private volatile long lastTurnNanos;

    private record Term(FencedDatastore fenced, CloudAllocator allocator) {}

    public CloudIpam(ControllerContext context, CloudIpamSettings settings, CloudProvider cloud, NodeWriter writer) {
        this.context = context;
        this.settings = settings;
        this.cloud = cloud;
        this.writer = writer;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), UNUSED);
        this.events = new NodeEvents(context, writer, NodeIpam.NAME);
        this.history = new NodeCidrHistory(context);
        this.lastTurnNanos = context.stopwatch().nanos();
    }

    @Override
    public String name() {
        return NodeIpam.NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of(new NodeHandler());
    }

    @Override
    public void start() {
        for (int worker = 1; worker <= settings.workersMax(); worker++) {
            threads.repeat("cloud-cidr-" + worker, this::work);
        }
        threads.repeat("node-events", () -> events.turn(this::leader));
        threads.repeat("node-cidr-history", history::turn);
    }

    /// A new leader lists all Nodes before it begins: its watch may lag behind what the leader before wrote.
    @Override
    public void elected(FencedDatastore store) {
        lock.lock();
        try {
            fenced = store;
            term = null;
            deletedMeanwhile.clear();
        } finally {
            lock.unlock();
        }
        threads.begin("node-list", () -> listAnew(store));
    }

    @Override
    public void dismissed() {
        lock.lock();
        try {
            fenced = null;
            term = null;
            failures.clear();
            reported.clear();
            fault = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private void listAnew(FencedDatastore store) throws InterruptedException {
        // Ends: when the list is complete, or another leader was elected.
        while (!threads.closed() && leads(store)) {
            var found = new HashMap<String, MachineNode>();
            try {
                store.scan(CoreKeys.NODES, page -> read(page, found));
                begin(store, found);
                return;
            } catch (CompactedException _) {
                // The list took too long, and begins again.
            } catch (DatastoreException failed) {
                context.reports().accept("cannot list the Nodes: " + failed.getMessage());
                context.pause().pause(LOOK_UP);
            }
        }
    }

    private boolean leads(FencedDatastore store) {
        lock.lock();
        try {
            return fenced == store;
        } finally {
            lock.unlock();
        }
    }

    private void begin(FencedDatastore store, Map<String, MachineNode> found) {
        lock.lock();
        try {
            if (fenced != store) {
                return;
            }
            found.keySet().removeAll(deletedMeanwhile);
            found.values().forEach(this::seen);
            switch (settings.setup()) {
                case CloudIpamSettings.Kind.Follow _ -> term = new Term(store, new AliasCopying());
                case CloudIpamSettings.Kind.Sync(var sync, var backoff) -> {
                    var known = nodes.values().stream().map(MachineNode::node).toList();
                    switch (SyncView.begin(sync.mode(), sync.config(), known)) {
                        case SyncView.Beginning.Ready ready -> term = new Term(store, new AliasSync(ready, backoff));
                        case SyncView.Beginning.Refused refused -> fault = Optional.of(refused.sentence());
                    }
                }
            }
            nodes.keySet().forEach(queue::add);
        } finally {
            lock.unlock();
        }
    }

    private void read(List<Document> page, Map<String, MachineNode> found) {
        for (var document : page) {
            read(document).ifPresent(node -> found.put(node.node().name(), node));
        }
    }

    private Optional<MachineNode> read(Document document) {
        try {
            return Optional.of(MachineNode.read(document));
        } catch (UnreadableDocumentException unreadable) {
            context.reports().accept("cannot read a Node: " + unreadable.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> fault() {
        lock.lock();
        try {
            return fault;
        } finally {
            lock.unlock();
        }
    }

    /// Follows the Nodes.
    private final class NodeHandler implements KindHandler {

        @Override
        public String kind() {
            return "nodes";
        }

        @Override
        public String prefix() {
            return CoreKeys.NODES;
        }

        @Override
        public void begin() {
            lock.lock();
            try {
                listing.clear();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void fill(List<Document> documents) {
            var found = new HashMap<String, MachineNode>();
            read(documents, found);
            lock.lock();
            try {
                listing.putAll(found);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void complete(long revision) {
            lock.lock();
            try {
                // One that a new leader has listed since comes again by the watch.
                var gone = nodes.keySet().stream()
                        .filter(name -> !listing.containsKey(name))
                        .toList();
                gone.forEach(CloudIpam.this::forget);
                listing.values().forEach(CloudIpam.this::seen);
                listing.clear();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void change(Watch.Notice.Changed notice) {
            lock.lock();
            try {
                for (var change : notice.changes()) {
                    switch (change) {
                        case Watch.Change.Put(var document) -> read(document).ifPresent(CloudIpam.this::seen);
                        case Watch.Change.Deleted(var key, var _) -> forget(NodeObject.name(key));
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void lost() {
            // What is known stays known; the next list corrects it.
        }
    }

    /// Only with the lock.
    private void seen(MachineNode node) {
        var name = node.node().name();
        var known = nodes.get(name);
        if (known != null && known.revision() >= node.revision()) {
            return;
        }
        nodes.put(name, node);
        boolean alike = known != null && podCidrs(known).equals(podCidrs(node));
        // What happens while it is worked on is looked at afterwards.
        if (!working.contains(name)) {
            if (!alike) {
                history.seen(name, podCidrs(node), node.revision());
            }
            if (known == null || isNews(node)) {
                queue.add(name);
            }
        }
    }

    /// Only with the lock.
    private boolean isNews(MachineNode node) {
        var name = node.node().name();
        var present = term;
        return present != null
                && node.revision() >= written.getOrDefault(name, 0L)
                && present.allocator().concerns(node.node(), failures.getOrDefault(name, 0));
    }

    private static List<Prefix> podCidrs(MachineNode node) {
        return node.node().entry().prefixes();
    }

    /// Only with the lock.
    private void forget(String name) {
        var known = nodes.remove(name);
        failures.remove(name);
        reported.remove(name);
        written.remove(name);
        if (fenced != null && term == null) {
            deletedMeanwhile.add(name);
        }
        if (known == null) {
            return;
        }
        history.gone(name, podCidrs(known));
        var present = term;
        if (present != null) {
            present.allocator().gone(known.node()).forEach(event -> events.record(known.node(), event));
        }
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::workOn);
    }

    private record Work(Term term, MachineNode node) {}

    private void workOn(String name) {
        try {
            var work = begun(name);
            if (work.isPresent()) {
                end(work.get(), attempt(work.get()));
            }
        } catch (LeadershipLostException deposed) {
            // The next leader looks at all Nodes.
        } finally {
            queue.done(name);
        }
    }

    private Optional<Work> begun(String name) {
        lock.lock();
        try {
            var present = term;
            var node = nodes.get(name);
            if (present == null || node == null || threads.closed()) {
                return Optional.empty();
            }
            working.add(name);
            return Optional.of(new Work(present, node));
        } finally {
            lock.unlock();
        }
    }

    private Ending attempt(Work work) {
        try {
            return new CloudTurn(
                            work.term().allocator(), cloud, writer, work.term().fenced(), context.clock(), new Noted())
                    .take(work.node().node());
        } finally {
            worked(work);
        }
    }

    /// Looks at what happened meanwhile.
    private void worked(Work work) {
        lock.lock();
        try {
            var before = work.node();
            var name = before.node().name();
            working.remove(name);
            var now = nodes.get(name);
            if (now == null) {
                // What was decided after its deletion has reserved something for it anew.
                var _ = work.term().allocator().gone(before.node());
                return;
            }
            if (now.revision() <= before.revision()) {
                return;
            }
            if (!podCidrs(now).equals(podCidrs(before))) {
                history.seen(name, podCidrs(now), now.revision());
            }
            if (isNews(now)) {
                queue.add(name);
            }
        } finally {
            lock.unlock();
        }
    }

    /// What attempts leave beside their writes.
    private final class Noted implements CloudTurn.Notes {

        @Override
        public void event(CloudNode node, CloudEvent event) {
            events.record(node, event);
        }

        @Override
        public void wrote(CloudNode node, long revision) {
            lock.lock();
            try {
                if (nodes.containsKey(node.name())) {
                    written.put(node.name(), revision);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void given(CloudNode node, List<Prefix> cidrs, long revision, List<Because> because) {
            history.given(node.name(), cidrs, revision, because);
        }
    }

    /// Whether it is the term that runs now, and not an equal one.
    @SuppressWarnings("ReferenceEquality")
    private boolean isPresent(Term other) {
        return term == other;
    }

    private void end(Work work, Ending ending) {
        var name = work.node().node().name();
        lock.lock();
        try {
            if (!isPresent(work.term()) || !nodes.containsKey(name)) {
                return;
            }
            int count =
                    switch (ending) {
                        case Ending.Settled _ -> 0;
                        case Ending.Failed(var sentence) -> {
                            report(name, sentence);
                            yield failures.getOrDefault(name, 0) + 1;
                        }
                    };
            if (count == 0) {
                failures.remove(name);
                reported.remove(name);
            } else {
                failures.put(name, count);
            }
            switch (work.term().allocator().pace(count, context.dice())) {
                case Pace.After(var delay) -> queue.addAfter(name, delay);
                case Pace.WhenItChanges _ -> {}
                case Pace.Dropped(var sentence) -> {
                    failures.remove(name);
                    report(name, sentence);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// A failure that lasts is reported once. Only with the lock.
    private void report(String name, String sentence) {
        if (!sentence.equals(reported.put(name, sentence))) {
            context.reports().accept("error syncing '%s': %s".formatted(name, sentence));
        }
    }

    private Optional<FencedDatastore> leader() {
        lock.lock();
        try {
            return Optional.ofNullable(fenced);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public List<Metric> figures() {
        var figures = new ArrayList<Metric>();
        lock.lock();
        try {
            if (term != null) {
                figures.addAll(term.allocator().figures());
                figures.add(NodeIpam.running());
            }
        } finally {
            lock.unlock();
        }
        if (!figures.isEmpty()) {
            figures.addAll(queue.figures(QUEUE));
        }
        return figures;
    }

    @Override
    public void close() {
        threads.close();
        history.finish();
    }
}
