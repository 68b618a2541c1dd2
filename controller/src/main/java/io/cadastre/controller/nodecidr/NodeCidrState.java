package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.nodecidr.NodeCidrTerm.Step;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is known of the Nodes from one leader term to the next, and the present term. It decides what is to be done;
/// it writes nothing and waits for nothing.
final class NodeCidrState implements NodeSource.Listener<NodeObject>, Allocator.Leadership {

    private static final String HELD_TWICE = "CIDRHeldTwice";

    private final ControllerContext context;
    private final Allocator allocator;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;
    private final FailureReports failures;

    /// Guards everything below, and the calls of the law. What is volatile is read without it.
    private final ReentrantLock lock = new ReentrantLock();

    /// The Nodes as they were listed and changed since.
    private final Map<String, NodeObject> nodes = new HashMap<>();

    /// Nodes that were seen with the CIDRs that a write under way may have given them: how the write ends says what the
    /// history has of that.
    private final Map<String, NodeObject> seenWhileWriting = new HashMap<>();

    /// Patches that may yet be applied.
    private final LateWrites lateWrites = new LateWrites();

    /// Nodes that were deleted while a new leader lists all Nodes, and at which revisions.
    private final Map<String, Long> deletedMeanwhile = new HashMap<>();

    private final ListAge listAge = new ListAge();

    private final UnreadNodes unread;

    /// The revision of the newest list of all Nodes: what the watch shows of an earlier one is old.
    private long listedAt;

    /// Whether the list of the watch that is under way began after the newest list was complete, so that it is newer.
    private boolean listingIsNewer;

    /// Lists all Nodes past the watch.
    private final Consumer<FencedDatastore> lister;

    /// Writes that are under way, of this term or the one before.
    private int writing;

    /// Whether all Nodes were listed past the watch for the present leader, with no patch of this process under way.
    private boolean relisted;

    /// Present while this process leads.
    private volatile @Nullable FencedDatastore fenced;

    /// Present once the present leader may give CIDRs.
    private @Nullable NodeCidrTerm term;

    /// Why the present leader may not.
    private volatile @Nullable String fault;

    /// What is to be done about a Node, in one term.
    record Turn(NodeCidrTerm term, FencedDatastore fenced, Step step) {}

    NodeCidrState(
            ControllerContext context,
            Allocator allocator,
            WorkQueue<String> queue,
            NodeEvents events,
            NodeCidrHistory history,
            FailureReports failures,
            Consumer<FencedDatastore> lister) {
        this.context = context;
        this.allocator = allocator;
        this.queue = queue;
        this.events = events;
        this.history = history;
        this.failures = failures;
        this.lister = lister;
        this.unread = new UnreadNodes(context);
    }

    private long now() {
        return context.stopwatch().nanos();
    }

    /// Whether all Nodes are to be listed past the watch.
    boolean elected(FencedDatastore store) {
        lock.lock();
        try {
            fenced = store;
            endTerm();
            deletedMeanwhile.clear();
            listAge.elect(store.othersEndedNanos());
            relisted = false;
            begin();
            return listAnew();
        } finally {
            lock.unlock();
        }
    }

    /// Whether all Nodes are to be listed past the watch: the lists that are there or under way may lack what other
    /// leaders wrote, or what this process did in an earlier term. Only with the lock.
    private boolean listAnew() {
        return fenced != null && term == null && writing == 0 && listAge.tooOld();
    }

    void dismissed() {
        lock.lock();
        try {
            fenced = null;
            endTerm();
            fault = null;
        } finally {
            lock.unlock();
        }
    }

    /// How a write of this term ends does not count any more. Only with the lock.
    private void endTerm() {
        term = null;
        List.copyOf(seenWhileWriting.keySet()).forEach(this::recordSeen);
    }

    boolean leads(FencedDatastore store) {
        return fenced == store;
    }

    @Override
    public Optional<FencedDatastore> store() {
        return Optional.ofNullable(fenced);
    }

    Optional<String> fault() {
        return Optional.ofNullable(fault).or(() -> fenced == null ? Optional.empty() : unread.fault());
    }

    /// Takes the list that a new leader made past the watch.
    void take(FencedDatastore store, NodeList<NodeObject> list) {
        lock.lock();
        try {
            if (!leads(store)) {
                return;
            }
            takeAll(list);
            listingIsNewer = false;
            relisted = true;
            begin();
        } finally {
            lock.unlock();
        }
    }

    /// Whether the Nodes are known well enough for the present leader to begin, unless patches of this process are
    /// under way. Only with the lock.
    private boolean upToDate() {
        return relisted || listAge.suffices();
    }

    /// Begins to give CIDRs if it is time. Only with the lock.
    private void begin() {
        if (fenced == null || !upToDate() || !listAge.known() || !allocator.ready() || term != null || writing > 0) {
            return;
        }
        var law = allocator.begin(nodes.values());
        var found = law.fault();
        if (found.isPresent() && !found.get().equals(fault)) {
            context.reports()
                    .accept(
                            "no CIDR is given to any Node until this is mended: %s. Delete the Node, or correct --cluster-cidr"
                                    .formatted(found.get()));
        }
        fault = found.orElse(null);
        if (found.isEmpty()) {
            term = new NodeCidrTerm(law, nodes, lateWrites);
            law.heldTwice().forEach((name, sentence) -> warn(nodes.get(name), Optional.of(sentence)));
            nodes.keySet().forEach(queue::add);
            lateWrites.nodes().forEach(queue::add);
            allocator.elected();
        }
    }

    @Override
    public <T> Optional<T> withLaw(Function<CidrLaw, T> work) {
        lock.lock();
        try {
            var present = term;
            return present == null ? Optional.empty() : Optional.of(changing(present, () -> work.apply(present.law())));
        } finally {
            lock.unlock();
        }
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

    @Override
    public void listing() {
        lock.lock();
        try {
            listAge.begin(now());
            listingIsNewer = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void listed(NodeList<NodeObject> list) {
        lock.lock();
        try {
            boolean older = listingIsNewer && list.revision() < listedAt;
            if (older) {
                startOver(list);
            }
            takeAll(list);
            listAge.complete();
            begin();
            var store = fenced;
            if (older && store != null && listAnew()) {
                lister.accept(store);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void changed(NodeObject node) {
        lock.lock();
        try {
            if (node.revision() > listedAt) {
                see(node);
            }
            begin();
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
            begin();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void lost() {
        lock.lock();
        try {
            listAge.lose();
        } finally {
            lock.unlock();
        }
    }

    /// The store went back, as after the restore of a backup: no revision from before tells anything. What was reserved
    /// is on no Node, and a term begins anew with what there is. Only with the lock.
    private void startOver(NodeList<NodeObject> list) {
        context.reports()
                .accept("the Nodes went back from revision %d to %d, as in a restored cluster: all are taken anew"
                        .formatted(listedAt, list.revision()));
        term = null;
        relisted = false;
        listedAt = 0;
        nodes.replaceAll((_, node) -> new NodeObject(node.entry(), node.labels(), 0));
        unread.list(Map.of(), Long.MAX_VALUE);
        deletedMeanwhile.clear();
        seenWhileWriting.clear();
    }

    /// Takes all Nodes as they were at this revision, unless a newer list was taken already. Only with the lock.
    private void takeAll(NodeList<NodeObject> list) {
        if (list.revision() < listedAt) {
            return;
        }
        var absent = nodes.keySet().stream().filter(name -> !list.has(name)).toList();
        absent.forEach(name -> forget(name, list.revision()));
        list.nodes().values().stream()
                .filter(node -> deletedMeanwhile.getOrDefault(node.name(), 0L) < node.revision())
                .forEach(this::see);
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
                        || (known.revision() < revision && known.podCidrs().isEmpty()));
    }

    /// The Node was read at this revision, or was deleted. Only with the lock.
    private void noLongerUnread(String name, long revision) {
        unread.remove(name, revision);
        unread.takePostponed().forEach(queue::add);
    }

    /// Only with the lock.
    private void see(NodeObject node) {
        var known = nodes.get(node.name());
        if (known != null && known.revision() >= node.revision()) {
            return;
        }
        nodes.put(node.name(), node);
        noLongerUnread(node.name(), node.podCidrs().isEmpty() ? node.revision() : Long.MAX_VALUE);
        boolean alike = known != null && known.podCidrs().equals(node.podCidrs());
        if (known != null && !alike) {
            // CIDRs do not change: that was another Node of this name.
            history.gone(node.name(), known.entry().prefixes());
        }
        if (!alike) {
            if (term == null || !term.reserves(node.name(), node.entry().prefixes())) {
                history.seen(node.name(), node.entry().prefixes(), node.revision());
            } else if (term.isWriting(node.name())) {
                seenWhileWriting.put(node.name(), node);
            }
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
        noLongerUnread(name, revision);
        var known = nodes.get(name);
        if (known != null && known.revision() > revision) {
            // This one came later.
            return;
        }
        nodes.remove(name);
        failures.forget(name);
        if (known != null) {
            history.gone(name, known.entry().prefixes());
        }
        if (fenced != null && term == null && !upToDate()) {
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

    /// What is to be done about a Node; empty if there is no term. What is to be written ends with
    /// [#writeEnded(Step.Write)].
    Optional<Turn> nextTurn(String name) {
        lock.lock();
        try {
            var present = term;
            var store = fenced;
            if (present == null || store == null || unread.postpones(name)) {
                return Optional.empty();
            }
            long now = now();
            var step = changing(present, () -> present.next(name, now));
            queueLateWrite(name, now);
            if (step instanceof Step.Write) {
                writing++;
            }
            return Optional.of(new Turn(present, store, step));
        } finally {
            lock.unlock();
        }
    }

    /// An answer was lost.
    void answerLost(Step.Write write) {
        lock.lock();
        try {
            lateWrites.lose(write.node().name(), write.cidrs(), now());
        } finally {
            lock.unlock();
        }
    }

    /// This became of a write of a turn.
    void ended(Turn turn, Step.Write write, PatchResult result) {
        var name = write.node().name();
        ended(turn, () -> {
            switch (result) {
                case PatchResult.Assigned(long revision) -> {
                    turn.term().written(name, revision);
                    history.given(name, write.cidrs(), revision, write.because());
                    if (seenWhileWriting.remove(name) != null) {
                        recordDeletion(name, write.cidrs());
                    }
                }
                case PatchResult.Rivalled(var node) -> {
                    warn(node, turn.term().found(node));
                    history.seen(name, node.entry().prefixes(), node.revision());
                }
                case PatchResult.Gone _, PatchResult.Failed _ -> turn.term().notWritten(name);
            }
        });
    }

    /// The Node was looked for, and there is none.
    void notFound(Turn turn, String name) {
        ended(turn, () -> turn.term().notWritten(name));
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

    /// No more is written of this. Returns whether all Nodes are to be listed past the watch.
    boolean writeEnded(Step.Write write) {
        var name = write.node().name();
        lock.lock();
        try {
            long now = now();
            lateWrites.end(name, write.cidrs());
            listAge.endPatch(now);
            recordSeen(name);
            var present = term;
            if (present != null) {
                changing(present, () -> {
                    present.expire(name, now);
                    return Optional.empty();
                });
                queueLateWrite(name, now);
            }
            writing--;
            begin();
            return listAnew();
        } finally {
            lock.unlock();
        }
    }

    /// What the watch showed while the Node was written to, if the end of the write has not recorded it. Only with the
    /// lock.
    private void recordSeen(String name) {
        var unrecorded = seenWhileWriting.remove(name);
        if (unrecorded != null) {
            history.seen(name, unrecorded.entry().prefixes(), unrecorded.revision());
            recordDeletion(name, unrecorded.entry().prefixes());
        }
    }

    /// The Node had these, which the history did not know when it was deleted, if it was. Only with the lock.
    private void recordDeletion(String name, List<Prefix> cidrs) {
        var known = nodes.get(name);
        if (known == null || !known.entry().prefixes().equals(cidrs)) {
            history.gone(name, cidrs);
        }
    }

    /// Only with the lock.
    private void queueLateWrite(String name, long nowNanos) {
        lateWrites.untilNext(name, nowNanos).ifPresent(until -> queue.addAfter(name, until));
    }

    /// Whether a write that was not answered may yet be carried out.
    boolean unsettled() {
        lock.lock();
        try {
            return lateWrites.pending(now());
        } finally {
            lock.unlock();
        }
    }

    /// What the present term counts; empty if there is none.
    Optional<List<Metric>> figures() {
        lock.lock();
        try {
            return Optional.ofNullable(term).map(present -> present.law().figures());
        } finally {
            lock.unlock();
        }
    }
}
