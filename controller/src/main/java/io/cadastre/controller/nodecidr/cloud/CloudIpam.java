package io.cadastre.controller.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeCidrHistory;
import io.cadastre.controller.nodecidr.NodeEvents;
import io.cadastre.controller.nodecidr.NodeIpam;
import io.cadastre.controller.nodecidr.NodeList;
import io.cadastre.controller.nodecidr.NodeSource;
import io.cadastre.controller.nodecidr.NodeWorkers;
import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.controller.nodecidr.UnreadNodes;
import io.cadastre.controller.nodecidr.cloud.CloudAllocator.Pace;
import io.cadastre.controller.nodecidr.cloud.CloudTurn.Ending;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.cloud.CloudEvent;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.SyncMode;
import io.cadastre.engine.nodecidr.cloud.SyncView;
import io.cadastre.wire.kubernetes.MachineNode;
import io.cadastre.wire.pages.Metric;
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

    private final ControllerContext context;
    private final CloudIpamSettings settings;
    private final CloudProvider cloud;
    private final NodeWriter writer;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;
    private final FailureReports reports;
    private final NodeSource<MachineNode> source;
    private final NodeWorkers workers;

    /// Guards everything below. What is volatile is read without it.
    private final ReentrantLock lock = new ReentrantLock();

    /// The Nodes as they were listed and changed since.
    private final Map<String, MachineNode> nodes = new HashMap<>();

    /// Attempts that failed in a row, of each Node whose last one did.
    private final Map<String, Integer> failures = new HashMap<>();

    /// Nodes that are worked on.
    private final Set<String> working = new HashSet<>();

    /// The revision of the last own write to a Node. What the watch shows of it from before is no news.
    private final Map<String, Long> written = new HashMap<>();

    /// Nodes that were deleted while a new leader lists all Nodes, and at which revisions.
    private final Map<String, Long> deletedMeanwhile = new HashMap<>();

    private final UnreadNodes unread;

    /// The revision of the newest list of all Nodes: what the watch shows of an earlier one is old.
    private long listedAt;

    /// Whether the list of the watch that is under way began after the newest list was complete, so that it is newer.
    private boolean listingIsNewer;

    /// Present while this process leads.
    private volatile @Nullable FencedDatastore fenced;

    /// Present once the present leader knows the Nodes.
    private @Nullable Term term;

    private volatile @Nullable String fault;

    private record Term(FencedDatastore fenced, CloudAllocator allocator) {}

    public CloudIpam(ControllerContext context, CloudIpamSettings settings, CloudProvider cloud, NodeWriter writer) {
        this.context = context;
        this.settings = settings;
        this.cloud = cloud;
        this.writer = writer;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), UNUSED);
        this.events = new NodeEvents(context, writer, NodeIpam.NAME);
        this.history = new NodeCidrHistory(context);
        this.reports = new FailureReports(context);
        this.source = new NodeSource<>(context, MachineNode::read, new Followed());
        this.workers = new NodeWorkers(context, queue, events, history);
        this.unread = new UnreadNodes(context);
    }

    @Override
    public String name() {
        return NodeIpam.NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of(source);
    }

    @Override
    public void start() {
        workers.start("cloud-cidr", settings.workersMax(), () -> Optional.ofNullable(fenced), this::workOn);
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
        workers.begin(
                "node-list",
                () -> source.list(store, () -> !workers.closed() && fenced == store, list -> begin(store, list)));
    }

    @Override
    public void dismissed() {
        lock.lock();
        try {
            fenced = null;
            term = null;
            failures.clear();
            reports.forgetAll();
            fault = null;
        } finally {
            lock.unlock();
        }
    }

    private void begin(FencedDatastore store, NodeList<MachineNode> list) {
        lock.lock();
        try {
            if (fenced != store) {
                return;
            }
            takeAll(list);
            listingIsNewer = false;
            deletedMeanwhile.clear();
            switch (settings.setup()) {
                case CloudIpamSettings.Kind.Follow _ -> term = new Term(store, new AliasCopying());
                case CloudIpamSettings.Kind.Sync(var sync, var backoff) -> {
                    var known = nodes.values().stream().map(MachineNode::node).toList();
                    switch (SyncView.begin(sync.mode(), sync.config(), known)) {
                        case SyncView.Beginning.Ready ready -> term = new Term(store, new AliasSync(ready, backoff));
                        case SyncView.Beginning.Refused refused -> fault = refused.sentence();
                    }
                }
            }
            nodes.keySet().forEach(queue::add);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<String> fault() {
        return Optional.ofNullable(fault)
                .or(() -> fenced == null || !choosesBlocks() ? Optional.empty() : unread.fault());
    }

    /// Whether it is this loop that gives the blocks, and not the cloud.
    private boolean choosesBlocks() {
        return settings.setup() instanceof CloudIpamSettings.Kind.Sync(var sync, var _)
                && sync.mode() == SyncMode.FROM_CLUSTER;
    }

    /// Takes what the watch shows of the Nodes.
    private final class Followed implements NodeSource.Listener<MachineNode> {

        @Override
        public void listing() {
            lock.lock();
            try {
                listingIsNewer = true;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void listed(NodeList<MachineNode> list) {
            lock.lock();
            try {
                boolean older = listingIsNewer && list.revision() < listedAt;
                if (older) {
                    startOver(list);
                }
                takeAll(list);
                var store = fenced;
                if (older && store != null) {
                    elected(store);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void changed(MachineNode node) {
            lock.lock();
            try {
                if (node.revision() > listedAt) {
                    seen(node);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void unreadable(String name, long revision) {
            lock.lock();
            try {
                if (revision > listedAt && mayHaveAny(name, revision)) {
                    unread.add(name, revision);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void deleted(String name, long revision) {
            lock.lock();
            try {
                if (revision > listedAt) {
                    forget(name, revision);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// The store went back, as after the restore of a backup: no revision from before tells anything. Only with the
    /// lock.
    private void startOver(NodeList<MachineNode> list) {
        context.reports()
                .accept("the Nodes went back from revision %d to %d, as in a restored cluster: all are taken anew"
                        .formatted(listedAt, list.revision()));
        listedAt = 0;
        nodes.replaceAll((_, node) -> new MachineNode(node.node(), 0));
        unread.list(Map.of(), Long.MAX_VALUE);
        written.clear();
    }

    /// Takes all Nodes as they were at this revision, unless a newer list was taken already. Only with the lock.
    private void takeAll(NodeList<MachineNode> list) {
        if (list.revision() < listedAt) {
            return;
        }
        var absent = nodes.keySet().stream().filter(name -> !list.has(name)).toList();
        absent.forEach(name -> forget(name, list.revision()));
        list.nodes().forEach((name, node) -> {
            if (deletedMeanwhile.getOrDefault(name, 0L) < node.revision()) {
                seen(node);
            }
        });
        var unreadable = new HashMap<>(list.unreadable());
        unreadable.entrySet().removeIf(found -> !mayHaveAny(found.getKey(), found.getValue()));
        unread.list(unreadable, list.revision());
        unread.takePostponed().forEach(queue::add);
        listedAt = list.revision();
    }

    /// Whether the Node of this name, which cannot be read at this revision, may have any CIDRs. Those that were seen
    /// do not change. Only with the lock.
    private boolean mayHaveAny(String name, long revision) {
        var known = nodes.get(name);
        return deletedMeanwhile.getOrDefault(name, 0L) < revision
                && (known == null
                        || (known.revision() < revision && podCidrs(known).isEmpty()));
    }

    /// The Node was read at this revision, or was deleted. Only with the lock.
    private void noLongerUnread(String name, long revision) {
        unread.remove(name, revision);
        unread.takePostponed().forEach(queue::add);
    }

    /// Only with the lock.
    private void seen(MachineNode node) {
        var name = node.node().name();
        var known = nodes.get(name);
        if (known != null && known.revision() >= node.revision()) {
            return;
        }
        nodes.put(name, node);
        noLongerUnread(name, podCidrs(node).isEmpty() ? node.revision() : Long.MAX_VALUE);
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

    /// The Node was deleted at this revision or before. Only with the lock.
    private void forget(String name, long revision) {
        noLongerUnread(name, revision);
        var known = nodes.get(name);
        if (known != null && known.revision() > revision) {
            // This one came later.
            return;
        }
        nodes.remove(name);
        failures.remove(name);
        reports.forget(name);
        written.remove(name);
        if (fenced != null && term == null && fault == null) {
            deletedMeanwhile.merge(name, revision, Math::max);
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

    private record Work(Term term, MachineNode node) {}

    private void workOn(String name) {
        try {
            begun(name).ifPresent(this::workOn);
        } finally {
            queue.done(name);
        }
    }

    private void workOn(Work work) {
        try {
            end(work, attempt(work));
        } catch (LeadershipLostException deposed) {
            // The next leader looks at all Nodes.
        } catch (RuntimeException unexpected) {
            // It says itself what it is; the Node is tried again all the same.
            end(work, new Ending.Failed("the attempt ended by a bug"));
            throw unexpected;
        }
    }

    private Optional<Work> begun(String name) {
        lock.lock();
        try {
            var present = term;
            var node = nodes.get(name);
            if (present == null || node == null || workers.closed() || (choosesBlocks() && unread.postpones(name))) {
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
                reports.forget(name);
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

    private void report(String name, String sentence) {
        reports.report(name, "error syncing '%s': %s".formatted(name, sentence));
    }

    @Override
    public Duration sinceLastTurn() {
        return workers.sinceLastTurn();
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
        workers.close();
        history.finish();
    }
}
