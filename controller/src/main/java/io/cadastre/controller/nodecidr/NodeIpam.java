package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.nodecidr.NodeCidrState.Turn;
import io.cadastre.controller.nodecidr.NodeCidrTerm.Step;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Gives each Node its CIDRs while its process leads, as the node IPAM controller of Kubernetes does: its state
/// ([NodeCidrState]) decides what is to be done about a Node, and workers do it ([NodePatcher]).
public final class NodeIpam implements ControlLoop {

    public static final String NAME = "node-ipam-controller";

    /// Its other name in kube-controller-manager.
    public static final String ALIAS = "nodeipam";

    private static final String ASSIGNMENT_FAILED = "CIDRAssignmentFailed";

    /// The waits of upstream.
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 10, 100);

    private final ControllerContext context;
    private final NodeIpamSettings settings;
    private final Allocator allocator;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;
    private final FailureReports failures;
    private final NodeCidrState state;
    private final NodeSource<NodeObject> source;
    private final NodePatcher patcher;
    private final NodeWorkers workers;

    public NodeIpam(ControllerContext context, NodeIpamSettings settings, NodeWriter writer) {
        this.context = context;
        this.settings = settings;
        this.allocator = settings.allocator(context);
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), BACKOFF);
        this.events = new NodeEvents(context, writer, allocator.component());
        this.history = new NodeCidrHistory(context);
        this.failures = new FailureReports(context);
        this.state = new NodeCidrState(context, allocator, queue, events, history, failures, this::listAll);
        this.source = new NodeSource<>(context, NodeObject::read, state);
        this.patcher = new NodePatcher(writer, source);
        this.workers = new NodeWorkers(context, queue, events, history);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        var handlers = new ArrayList<KindHandler>();
        handlers.add(source);
        handlers.addAll(allocator.handlers());
        return handlers;
    }

    @Override
    public void start() {
        workers.start("node-cidr", settings.writersMax(), state::store, this::turn);
        allocator.start(state);
    }

    @Override
    public void elected(FencedDatastore store) {
        if (state.elected(store)) {
            listAll(store);
        }
    }

    private void listAll(FencedDatastore store) {
        workers.begin(
                "node-list",
                () -> source.list(
                        store, () -> !workers.closed() && state.leads(store), list -> state.take(store, list)));
    }

    @Override
    public void dismissed() {
        state.dismissed();
    }

    @Override
    public Optional<String> fault() {
        return state.fault();
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
            } else if (!workers.closed()) {
                queue.retry(name);
            }
            queue.done(name);
        }
    }

    /// Whether nothing is left to be tried again.
    private boolean settle(String name) {
        var next = workers.closed() ? Optional.<Turn>empty() : state.nextTurn(name);
        if (next.isEmpty()) {
            return true;
        }
        var turn = next.get();
        return switch (turn.step()) {
            case Step.Nothing _ -> {
                failures.forget(name);
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
            case Step.Look(var node) -> look(turn, node);
            case Step.Write write -> {
                try {
                    yield write(turn, write);
                } finally {
                    if (state.writeEnded(write)) {
                        state.store().ifPresent(this::listAll);
                    }
                }
            }
        };
    }

    private boolean look(Turn turn, String name) {
        try {
            if (source.find(turn.fenced(), name).isEmpty()) {
                state.notFound(turn, name);
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

    private boolean write(Turn turn, Step.Write write) {
        var name = write.node().name();
        var result = send(turn, write);
        state.ended(turn, write, result);
        return switch (result) {
            case PatchResult.Assigned _ -> {
                failures.forget(name);
                yield true;
            }
            case PatchResult.Gone _ -> true;
            case PatchResult.Rivalled(var node) -> {
                context.reports()
                        .accept(
                                "node %s already has %s, given by %s; %s is free again. If another allocator runs for these Nodes, stop one of them"
                                        .formatted(
                                                name,
                                                String.join(", ", node.podCidrs()),
                                                patcher.manager(name),
                                                words(write)));
                yield true;
            }
            case PatchResult.Failed(var failure) -> {
                events.record(
                        write.node(),
                        NodeEvents.Type.NORMAL,
                        ASSIGNMENT_FAILED,
                        "Node %s status is now: %s".formatted(name, ASSIGNMENT_FAILED));
                report(name, "cannot give %s to node %s: %s".formatted(words(write), name, failure));
                yield false;
            }
        };
    }

    private PatchResult send(Turn turn, Step.Write write) {
        try {
            return patcher.send(turn.fenced(), write, () -> state.answerLost(write));
        } catch (DatastoreException known) {
            throw known;
        } catch (RuntimeException unexpected) {
            // Its patch may have been sent.
            state.answerLost(write);
            state.ended(turn, write, new PatchResult.Failed("a bug"));
            throw unexpected;
        }
    }

    private static String words(Step.Write write) {
        return String.join(", ", write.cidrs().stream().map(Prefix::toString).toList());
    }

    private void report(String name, @Nullable String sentence) {
        failures.report(name, "error syncing '%s': %s, requeuing".formatted(name, sentence));
    }

    @Override
    public boolean unsettled() {
        return state.unsettled();
    }

    @Override
    public Duration sinceLastTurn() {
        return workers.sinceLastTurn();
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
        return state.figures().map(this::figures).orElse(List.of());
    }

    private List<Metric> figures(List<Metric> ofLaw) {
        var figures = new ArrayList<>(ofLaw);
        figures.add(running());
        figures.addAll(Metric.together(queue.figures(allocator.queue()), allocator.figures()));
        return figures;
    }

    @Override
    public void close() {
        workers.close();
        allocator.close();
        history.finish();
    }
}
