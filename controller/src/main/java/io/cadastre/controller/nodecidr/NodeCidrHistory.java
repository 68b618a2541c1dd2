package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControllerContext;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Because;
import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.LedgerException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// Takes down in the ledger what Nodes were given, what others gave them, and what was taken back.
///
/// What happened waits in its order for a thread of its own, so that a slow ledger keeps no Node waiting. What another
/// process gave is recorded as observed unless the ledger has it, and an end only if the ledger has the beginning.
public final class NodeCidrHistory {

    private static final int WAITING_MAX = 100_000;
    private static final int TOGETHER_MAX = 500;
    private static final Duration LOOK_UP = Duration.ofMillis(50);

    private final ControllerContext context;
    private final BlockingQueue<Happening> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

    /// Entries that the ledger refused for the moment, oldest first. Only the writer touches these.
    private List<Ledger.Entry> owed = List.of();

    private boolean failing;

    /// What happened to a Node.
    private sealed interface Happening {

        String node();

        List<Prefix> cidrs();

        record Given(String node, List<Prefix> cidrs, Instant at, long revision, List<Because> because)
                implements Happening {}

        record Seen(String node, List<Prefix> cidrs, Instant at, long revision) implements Happening {}

        record Gone(String node, List<Prefix> cidrs, Instant at) implements Happening {}
    }

    public NodeCidrHistory(ControllerContext context) {
        this.context = context;
    }

    /// This process gave the Node its CIDRs.
    public void given(String node, List<Prefix> cidrs, long revision, List<Because> because) {
        put(new Happening.Given(node, List.copyOf(cidrs), context.now(), revision, List.copyOf(because)));
    }

    /// The Node has CIDRs.
    public void seen(String node, List<Prefix> cidrs, long revision) {
        put(new Happening.Seen(node, List.copyOf(cidrs), context.now(), revision));
    }

    /// The Node was deleted.
    public void gone(String node, List<Prefix> cidrs) {
        put(new Happening.Gone(node, List.copyOf(cidrs), context.now()));
    }

    private void put(Happening happening) {
        if (!happening.cidrs().isEmpty() && !waiting.offer(happening)) {
            context.reports()
                    .accept("the history lacks what happened to node %s: the ledger is too slow"
                            .formatted(happening.node()));
        }
    }

    /// Writes what waits, and waits a moment if nothing does.
    public void turn() throws InterruptedException {
        if (!writeWaiting()) {
            context.pause().pause(LOOK_UP);
        }
    }

    /// Whether something that waited was taken down, or is known already.
    private boolean writeWaiting() {
        if (nothingWaits()) {
            return false;
        }
        try {
            if (owed.isEmpty()) {
                owed = entries();
            }
            if (!owed.isEmpty()) {
                context.ledger().append(owed);
                owed = List.of();
            }
            failing = false;
            return true;
        } catch (DatastoreException | LedgerException failed) {
            if (!failing) {
                context.reports().accept("cannot record node CIDRs: " + failed.getMessage());
            }
            failing = true;
            return false;
        }
    }

    /// Writes what waits, at the end.
    public void finish() {
        // Ends: each time there is less, or the ledger fails.
        while (writeWaiting()) {}
    }

    private boolean nothingWaits() {
        return waiting.isEmpty() && owed.isEmpty();
    }

    private List<Ledger.Entry> entries() {
        var entries = new ArrayList<Ledger.Entry>();
        // One that asks the ledger is last, since it must find those before it.
        for (int taken = 0; taken < TOGETHER_MAX && !waiting.isEmpty(); taken++) {
            if (!(waiting.peek() instanceof Happening.Given) && !entries.isEmpty()) {
                return entries;
            }
            // It waits until the ledger has answered.
            entries.addAll(entry(waiting.element()));
            waiting.remove();
        }
        return entries;
    }

    private List<Ledger.Entry> entry(Happening happening) {
        var holdings = NodeCidrHoldings.of(happening.node(), happening.cidrs());
        return switch (happening) {
            case Happening.Given given ->
                List.of(entry(
                        given.at(),
                        "node-cidr add " + given.node(),
                        given.cidrs(),
                        given.revision(),
                        holdings,
                        List.of(),
                        given.because().stream().map(Fact::of).toList()));
            case Happening.Seen seen -> {
                var unknown = holdings.stream()
                        .filter(holding -> !known(holding, seen.at()))
                        .toList();
                yield unknown.isEmpty()
                        ? List.of()
                        : List.of(entry(
                                seen.at(),
                                "observed node " + seen.node(),
                                seen.cidrs(),
                                seen.revision(),
                                unknown,
                                List.of(),
                                List.of(Fact.text(
                                        "observed: another process gave node %s its CIDRs".formatted(seen.node())))));
            }
            case Happening.Gone gone -> {
                var ended = holdings.stream()
                        .filter(holding -> known(holding, gone.at()))
                        .toList();
                yield ended.isEmpty()
                        ? List.of()
                        : List.of(entry(
                                gone.at(),
                                "observed the deletion of node " + gone.node(),
                                gone.cidrs(),
                                0,
                                List.of(),
                                ended,
                                List.of()));
            }
        };
    }

    private boolean known(Holding holding, Instant at) {
        return context.ledger().holders(holding.range().first(), at, Ledger.Writers.OTHERS_TOO).periods().stream()
                .anyMatch(period -> period.holding().equals(holding));
    }

    private static Ledger.Entry entry(
            Instant at,
            String request,
            List<Prefix> cidrs,
            long revision,
            List<Holding> granted,
            List<Holding> returned,
            List<Fact> because) {
        var outcome =
                Fact.text(String.join(", ", cidrs.stream().map(Prefix::toString).toList()));
        return new Ledger.Entry(at, request, outcome, 1, revision, granted, returned, because);
    }
}
