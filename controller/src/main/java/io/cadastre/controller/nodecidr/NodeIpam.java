package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeCidrTerm.Step;
import io.cadastre.controller.pages.Metric;
import io.cadastre.controller.pages.Metric.Sample;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.CompactedException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Gives each Node its CIDRs while its process leads, as the node IPAM controller of Kubernetes does.
public final class NodeIpam implements ControlLoop {

    public static final String NAME = "node-ipam-controller";

    /// Its other name in kube-controller-manager.
    public static final String ALIAS = "nodeipam";

    private static final String ASSIGNMENT_FAILED = "CIDRAssignmentFailed";
    private static final String HELD_TWICE = "CIDRHeldTwice";

    /// How often a patch is sent before the work on its Node counts as failed.
    private static final int PATCH_ATTEMPTS_MAX = 3;

    /// The waits of upstream.
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 10, 100);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final NodeIpamSettings settings;
    private final NodeWriter writer;
    private final Allocator allocator;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;
    private final LoopThreads threads = new LoopThreads();

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    /// The Nodes as they were listed and changed since.
    private final Map<String, NodeObject> nodes = new HashMap<>();

    /// What the list that is under way has brought so far.
    private final Map<String, NodeObject> listing = new HashMap<>();

    private final Map<String, String> reported = new HashMap<>();

    /// Patches that may yet be applied.
    private final LateWrites lateWrites = new LateWrites();

    /// Nodes that were deleted while a new leader lists all Nodes, and at which revisions.
    private final Map<String, Long> deletedMeanwhile = new HashMap<>();

    /// The revision of the newest list of all Nodes: what the watch shows of an earlier one is old.
    private long listedAt;

    /// When the list of the watch began that is under way, and the one that was complete last.
    private Optional<Long> listingSince = Optional.empty();

    private Optional<Long> listedSince = Optional.empty();

    private boolean watching;

    /// When the last patch of this process had ended.
    private Optional<Long> lastPatchNanos = Optional.empty();

    /// Writes that are under way, of this term or the one before.
    private int writing;

    /// Present while this process leads.
    private @Nullable FencedDatastore fenced;

    /// Whether the Nodes are known well enough for the present leader to begin.
    private boolean fresh;

    /// Present once the present leader may give CIDRs.
    private @Nullable NodeCidrTerm term;

    private Optional<String> fault = Optional.empty();

    private volatile long lastTurnNanos;

    public NodeIpam(ControllerContext context, NodeIpamSettings settings, NodeWriter writer) {
        this.context = context;
        this.settings = settings;
        this.writer = writer;
        this.allocator = settings.allocator(context);
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), BACKOFF);
        this.events = new NodeEvents(context, writer, allocator.component());
        this.history = new NodeCidrHistory(context);
        this.lastTurnNanos = context.stopwatch().nanos();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        var handlers = new ArrayList<KindHandler>();
        handlers.add(new NodeHandler());
        handlers.addAll(allocator.handlers());
        return handlers;
    }

    @Override
    public void start() {
        for (int worker = 1; worker <= settings.writersMax(); worker++) {
            threads.repeat("node-cidr-" + worker, this::work);
        }
        threads.repeat("node-events", () -> events.turn(this::leader));
        threads.repeat("node-cidr-history", history::turn);
        allocator.start(new Leading());
    }

    @Override
    public void elected(FencedDatastore store) {
        boolean anew;
        lock.lock();
        try {
            fenced = store;
            term = null;
            deletedMeanwhile.clear();
            fresh = suffices(store, listedSince);
            // The first list of a process, and one that has just begun, are waited for.
            anew = !fresh && watching && !suffices(store, listingSince);
            begin();
        } finally {
            lock.unlock();
        }
        if (anew) {
            threads.begin("node-list", () -> listAnew(store));
        }
    }

    /// Whether a list that began then shows all that other leaders, and this process in earlier terms, wrote. Only
    /// with the lock.
    private boolean suffices(FencedDatastore store, Optional<Long> sinceNanos) {
        return sinceNanos
                .filter(since -> since - store.othersEndedNanos() >= 0)
                .filter(since ->
                        lastPatchNanos.filter(patch -> patch - since > 0).isEmpty())
                .isPresent();
    }

    @Override
    public void dismissed() {
        lock.lock();
        try {
            fenced = null;
            term = null;
            fault = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Lists all Nodes, past the watch and its delays.
    private void listAnew(FencedDatastore store) throws InterruptedException {
        // Ends: when the list is complete, or another leader was elected.
        while (!threads.closed() && leads(store)) {
            var found = new HashMap<String, NodeObject>();
            try {
                long revision = store.scan(CoreKeys.NODES, page -> read(page, found));
                take(store, found, revision);
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

    private void take(FencedDatastore store, Map<String, NodeObject> found, long revision) {
        lock.lock();
        try {
            if (fenced != store) {
                return;
            }
            takeAll(found, revision);
            fresh = true;
            begin();
        } finally {
            lock.unlock();
        }
    }

    private void read(List<Document> page, Map<String, NodeObject> found) {
        for (var document : page) {
            read(document).ifPresent(node -> found.put(node.name(), node));
        }
    }

    private Optional<NodeObject> read(Document document) {
        try {
            return Optional.of(NodeObject.read(document));
        } catch (UnreadableDocumentException unreadable) {
            context.reports().accept("cannot read a Node: " + unreadable.getMessage());
            return Optional.empty();
        }
    }

    /// Begins to give CIDRs if it is time. Only with the lock.
    private void begin() {
        if (fenced == null || !fresh || listedSince.isEmpty() || !allocator.ready() || term != null || writing > 0) {
            return;
        }
        var law = allocator.begin(nodes.values());
        var found = law.fault();
        if (found.isPresent() && !found.equals(fault)) {
            context.reports()
                    .accept(
                            "no CIDR is given to any Node until this is mended: %s. Delete the Node, or correct --cluster-cidr"
                                    .formatted(found.get()));
        }
        fault = found;
        if (found.isEmpty()) {
            term = new NodeCidrTerm(law, nodes, lateWrites);
            law.heldTwice().forEach((name, sentence) -> warn(nodes.get(name), Optional.of(sentence)));
            nodes.keySet().forEach(queue::add);
            lateWrites.nodes().forEach(queue::add);
            allocator.elected();
        }
    }

    /// What the allocator sees of this term.
    private final class Leading implements Allocator.Leadership {

        @Override
        public <T> Optional<T> withLaw(Function<CidrLaw, T> work) {
            lock.lock();
            try {
                var present = term;
                return present == null
                        ? Optional.empty()
                        : Optional.of(changing(present, () -> work.apply(present.law())));
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Optional<FencedDatastore> store() {
            return leader();
        }

        @Override
        public void moreIsFree() {
            lock.lock();
            try {
                begin();
                if (term != null) {
                    term.takeStarving(Long.MAX_VALUE).forEach(queue::add);
                }
            } finally {
                lock.unlock();
            }
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
                watching = true;
                listingSince = Optional.of(context.stopwatch().nanos());
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void fill(List<Document> documents) {
            var found = new HashMap<String, NodeObject>();
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
                takeAll(listing, revision);
                listing.clear();
                listedSince = listingSince;
                listingSince = Optional.empty();
                fresh |= fenced != null && suffices(fenced, listedSince);
                NodeIpam.this.begin();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void change(Watch.Notice.Changed notice) {
            for (var change : notice.changes()) {
                switch (change) {
                    case Watch.Change.Put(var document) -> read(document).ifPresent(this::put);
                    case Watch.Change.Deleted(var key, var revision) -> delete(NodeObject.name(key), revision);
                }
            }
        }

        private void put(NodeObject node) {
            lock.lock();
            try {
                watched(node);
                NodeIpam.this.begin();
            } finally {
                lock.unlock();
            }
        }

        private void delete(String name, long revision) {
            lock.lock();
            try {
                if (revision > listedAt) {
                    forget(name, revision);
                }
                NodeIpam.this.begin();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void lost() {
            // What is known stays known; the next list corrects it.
            lock.lock();
            try {
                listingSince = Optional.empty();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Takes all Nodes as they were at this revision, unless a newer list was taken already. Only with the lock.
    private void takeAll(Map<String, NodeObject> found, long revision) {
        if (revision < listedAt) {
            return;
        }
        var absent =
                nodes.keySet().stream().filter(name -> !found.containsKey(name)).toList();
        absent.forEach(name -> forget(name, revision));
        found.values().stream()
                .filter(node -> deletedMeanwhile.getOrDefault(node.name(), 0L) < node.revision())
                .forEach(this::see);
        listedAt = revision;
    }

    /// The watch shows a Node. Only with the lock.
    private void watched(NodeObject node) {
        if (node.revision() > listedAt) {
            see(node);
        }
    }

    /// Only with the lock.
    private void see(NodeObject node) {
        var known = nodes.get(node.name());
        if (known != null && known.revision() >= node.revision()) {
            return;
        }
        nodes.put(node.name(), node);
        boolean alike = known != null && known.podCidrs().equals(node.podCidrs());
        if (known != null && !alike) {
            // CIDRs do not change: that was another Node of this name.
            history.gone(node.name(), known.entry().prefixes());
        }
        if (!alike && (term == null || !term.reserves(node.name(), node.entry().prefixes()))) {
            history.seen(node.name(), node.entry().prefixes(), node.revision());
        }
        var present = term;
        if (present == null) {
            return;
        }
        warn(node, changing(present, () -> present.seen(node)));
        queue.add(node.name());
    }

    private void warn(@Nullable NodeObject node, Optional<String> doubled) {
        doubled.ifPresent(sentence -> {
            if (node != null) {
                events.record(node, NodeEvents.Type.WARNING, HELD_TWICE, sentence);
            }
            context.reports().accept("two hold one CIDR: " + sentence);
        });
    }

    /// The Node was deleted at this revision or before. Only with the lock.
    private void forget(String name, long revision) {
        var known = nodes.get(name);
        if (known != null && known.revision() > revision) {
            // This one came later.
            return;
        }
        nodes.remove(name);
        reported.remove(name);
        if (known != null) {
            history.gone(name, known.entry().prefixes());
        }
        if (fenced != null && !fresh) {
            deletedMeanwhile.merge(name, revision, Math::max);
        }
        var present = term;
        if (present == null) {
            return;
        }
        changing(present, () -> {
            present.gone(name, revision);
            return Optional.empty();
        });
        queue.addAfter(name, LateWrites.LATE_WRITE_MAX);
    }

    /// Changes what is in use, and lets Nodes try again that found nothing free. Only with the lock.
    private <T> T changing(NodeCidrTerm present, Supplier<T> change) {
        long before = present.law().usedCount();
        var result = change.get();
        present.takeStarving(before - present.law().usedCount()).forEach(queue::add);
        return result;
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::turn);
    }

    private void turn(String name) {
        boolean settled = false;
        try {
            settled = settle(name);
        } catch (LeadershipLostException deposed) {
            // The next leader looks at all Nodes.
            settled = true;
        } finally {
            if (settled) {
                queue.succeeded(name);
            } else if (!threads.closed()) {
                queue.retry(name);
            }
            queue.done(name);
        }
    }

    /// A turn of one term.
    private record Turn(NodeCidrTerm term, FencedDatastore fenced, Step step) {}

    private Optional<Turn> nextTurn(String name) {
        lock.lock();
        try {
            var present = term;
            var store = fenced;
            if (present == null || store == null || threads.closed()) {
                return Optional.empty();
            }
            long now = context.stopwatch().nanos();
            var step = changing(present, () -> present.next(name, now));
            lateWrites.untilNext(name, now).ifPresent(until -> queue.addAfter(name, until));
            if (step instanceof Step.Write) {
                writing++;
            }
            return Optional.of(new Turn(present, store, step));
        } finally {
            lock.unlock();
        }
    }

    /// Whether nothing is left to be tried again.
    private boolean settle(String name) {
        var turn = nextTurn(name);
        if (turn.isEmpty()) {
            return true;
        }
        return switch (turn.get().step()) {
            case Step.Nothing _ -> {
                forgetReport(name);
                yield true;
            }
            case Step.Failed(var sentence) -> {
                report(name, sentence);
                yield false;
            }
            case Step.Exhausted(var node, var sentence) -> {
                var exhausted = new NodeCidrRefusal.Exhausted(name, 0);
                events.record(
                        node, NodeEvents.Type.NORMAL, NodeCidrRefusal.Exhausted.EVENT_REASON, exhausted.eventMessage());
                report(name, sentence);
                yield false;
            }
            case Step.Look(var node) -> look(turn.get(), node);
            case Step.Write write -> {
                try {
                    yield write(turn.get(), write);
                } finally {
                    written(write);
                }
            }
        };
    }

    /// No more is written of this.
    private void written(Step.Write write) {
        var name = write.node().name();
        long now = context.stopwatch().nanos();
        lock.lock();
        try {
            lateWrites.end(name, write.cidrs());
            lastPatchNanos = Optional.of(now);
            var present = term;
            if (present != null) {
                changing(present, () -> {
                    present.expire(name, now);
                    return Optional.empty();
                });
                lateWrites.untilNext(name, now).ifPresent(until -> queue.addAfter(name, until));
            }
            writing--;
            begin();
        } finally {
            lock.unlock();
        }
    }

    private boolean look(Turn turn, String name) {
        try {
            if (find(turn, name).isEmpty()) {
                ended(turn, () -> turn.term().notWritten(name));
            } else {
                // The watch will show it, if it is not deleted before.
                queue.addAfter(name, LateWrites.LATE_WRITE_MAX);
            }
            return true;
        } catch (DatastoreException failed) {
            report(name, failed.getMessage());
            return false;
        }
    }

    private Optional<NodeObject> find(Turn turn, String name) {
        return turn.fenced().get(NodeObject.key(name)).flatMap(this::read);
    }

    /// Sends the patch, and finds out what became of it.
    private boolean write(Turn turn, Step.Write write) {
        var name = write.node().name();
        var podCidrs = write.cidrs().stream().map(Prefix::toString).toList();
        var patch = NodeObject.patchOf(podCidrs);
        var failure = "";
        boolean answered = true;
        try {
            for (int attempt = 1; attempt <= PATCH_ATTEMPTS_MAX; attempt++) {
                try {
                    turn.fenced().checkTerm();
                    switch (writer.patch(name, patch)) {
                        case Commit.Done(var revisions) -> {
                            return assigned(turn, write, revisions.getFirst());
                        }
                        case Commit.Conflict(var _, var kind) -> {
                            if (kind == Commit.Kind.ABSENT) {
                                ended(turn, () -> turn.term().notWritten(name));
                                return true;
                            }
                            failure = "the Node changes too often";
                        }
                        case Commit.Unknown(var reason) -> {
                            failure = reason;
                            answered = false;
                            lose(write);
                        }
                    }
                } catch (LeadershipLostException deposed) {
                    throw deposed;
                } catch (DatastoreException refused) {
                    failure = String.valueOf(refused.getMessage());
                    var found = find(turn, name);
                    if (found.isEmpty() || !found.get().podCidrs().isEmpty()) {
                        return met(turn, write, found);
                    }
                }
            }
            return answered ? failed(turn, write, failure) : doubtful(turn, write, failure);
        } catch (LeadershipLostException deposed) {
            throw deposed;
        } catch (DatastoreException silent) {
            // The Node cannot be read: whether it has the CIDRs is not known.
            return failed(turn, write, String.valueOf(silent.getMessage()));
        }
    }

    private void lose(Step.Write write) {
        lock.lock();
        try {
            lateWrites.lose(
                    write.node().name(), write.cidrs(), context.stopwatch().nanos());
        } finally {
            lock.unlock();
        }
    }

    /// The answer was lost, so the Node is read.
    private boolean doubtful(Turn turn, Step.Write write, String failure) {
        var found = find(turn, write.node().name());
        if (found.isPresent() && found.get().podCidrs().isEmpty()) {
            return failed(turn, write, failure);
        }
        return met(turn, write, found);
    }

    private boolean assigned(Turn turn, Step.Write write, long revision) {
        var name = write.node().name();
        ended(turn, () -> {
            turn.term().written(name, revision);
            history.given(name, write.cidrs(), revision, write.because());
        });
        forgetReport(name);
        return true;
    }

    /// The Node is gone, or has CIDRs: the reserved ones, or some that another writer gave it.
    private boolean met(Turn turn, Step.Write write, Optional<NodeObject> found) {
        var name = write.node().name();
        if (found.isEmpty()) {
            ended(turn, () -> turn.term().notWritten(name));
            return true;
        }
        var node = found.get();
        if (node.entry().prefixes().equals(write.cidrs())) {
            return assigned(turn, write, node.revision());
        }
        ended(turn, () -> {
            warn(node, turn.term().found(node));
            history.seen(name, node.entry().prefixes(), node.revision());
        });
        context.reports()
                .accept(
                        "node %s already has %s, given by %s; %s is free again. If another allocator runs for these Nodes, stop one of them"
                                .formatted(name, String.join(", ", node.podCidrs()), manager(name), words(write)));
        return true;
    }

    private String manager(String name) {
        try {
            return writer.findCidrManager(name)
                    .map("field manager '%s'"::formatted)
                    .orElse("another writer");
        } catch (DatastoreException unknown) {
            return "another writer";
        }
    }

    private boolean failed(Turn turn, Step.Write write, String failure) {
        var name = write.node().name();
        ended(turn, () -> turn.term().notWritten(name));
        events.record(
                write.node(),
                NodeEvents.Type.NORMAL,
                ASSIGNMENT_FAILED,
                "Node %s status is now: %s".formatted(name, ASSIGNMENT_FAILED));
        report(name, "cannot give %s to node %s: %s".formatted(words(write), name, failure));
        return false;
    }

    private static String words(Step.Write write) {
        return String.join(", ", write.cidrs().stream().map(Prefix::toString).toList());
    }

    private void ended(Turn turn, Runnable change) {
        lock.lock();
        try {
            if (term == turn.term()) {
                changing(turn.term(), () -> {
                    change.run();
                    return Optional.empty();
                });
            }
        } finally {
            lock.unlock();
        }
    }

    /// A failure that lasts is reported once.
    private void report(String name, @Nullable String sentence) {
        lock.lock();
        try {
            var said = String.valueOf(sentence);
            if (!said.equals(reported.put(name, said))) {
                context.reports().accept("error syncing '%s': %s, requeuing".formatted(name, said));
            }
        } finally {
            lock.unlock();
        }
    }

    private void forgetReport(String name) {
        lock.lock();
        try {
            reported.remove(name);
        } finally {
            lock.unlock();
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
    public boolean unsettled() {
        lock.lock();
        try {
            return lateWrites.pending(context.stopwatch().nanos());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    /// That the controller runs, as kube-controller-manager shows it.
    public static Metric running() {
        return Metric.gauge(
                "running_managed_controllers",
                "Whether the controller runs.",
                List.of(Sample.of(1, "name", ALIAS, "manager", "kube-controller-manager")));
    }

    @Override
    public List<Metric> figures() {
        var figures = new ArrayList<Metric>();
        lock.lock();
        try {
            if (term != null) {
                figures.addAll(term.law().figures());
                figures.add(running());
            }
        } finally {
            lock.unlock();
        }
        if (!figures.isEmpty()) {
            figures.addAll(Metric.together(queue.figures(allocator.queue()), allocator.figures()));
        }
        return figures;
    }

    @Override
    public void close() {
        threads.close();
        allocator.close();
        history.finish();
    }
}
