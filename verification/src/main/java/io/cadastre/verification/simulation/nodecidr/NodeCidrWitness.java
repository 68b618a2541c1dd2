package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Survey;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.registry.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Sees every state of the store and every answer to a caller, and fails when the two disagree.
///
/// Four things must hold. The map of every state passes the survey. Every answer was true at some instant
/// between the question and the answer. A caller whose request failed finds everything as it was. And the
/// answer about a node that only one caller asks about stays true until that caller asks again; after a
/// question without an answer nothing is promised.
///
/// Requests that were combined into one commit leave no state between them. What each of them left for the
/// next is replayed from the ledger's entries with the revision of that commit.
final class NodeCidrWitness {

    private static final String NODE = "node/";

    private final Datastore store;
    private final Supplier<NodeCidrView> reading;
    private final Ledger ledger;
    private final List<State> states = new ArrayList<>();
    private final Map<String, List<String>> promised = new TreeMap<>();

    /// What the store held after the commit with this revision.
    private record State(long revision, NodeCidrView view) {}

    NodeCidrWitness(Datastore store, Supplier<NodeCidrView> reading, Ledger ledger) {
        this.store = store;
        this.reading = reading;
        this.ledger = ledger;
        states.add(read());
    }

    private State read() {
        return new State(store.list("", 1).revision(), reading.get());
    }

    /// A question under way.
    ///
    /// @param since the number of the state in which it was asked
    record Question(String node, boolean exclusive, int since) {}

    /// Looks at the store after it changed.
    void look() {
        states.add(read());
        var state = states.getLast().view();
        var violations = Survey.of(NodeCidrHoldings.of(state));
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "the survey found: " + violations.getFirst().sentence());
        }
        promised.forEach((node, cidrs) -> {
            var held = held(state, node);
            if (!held.equals(cidrs)) {
                throw new AssertionError("%s was promised %s and holds %s".formatted(node, cidrs, held));
            }
        });
    }

    /// Notes that a caller asks about a node.
    ///
    /// @param exclusive whether no other caller ever asks about it
    Question ask(String node, boolean exclusive) {
        promised.remove(node);
        return new Question(node, exclusive, states.size() - 1);
    }

    void told(Question question, NodeCidrAssignment assignment) {
        switch (assignment) {
            case NodeCidrAssignment.Assigned assigned -> {
                requireSometime(
                        question,
                        state -> held(state, question.node()).equals(assigned.podCidrs()),
                        "its answer says that it holds " + assigned.podCidrs());
                promise(question, assigned.podCidrs());
            }
            case NodeCidrAssignment.Refused refused -> {
                switch (refused.refusal()) {
                    case NodeCidrRefusal.Exhausted exhausted ->
                        requireSometime(
                                question,
                                state -> full(state.sets().get(exhausted.index())),
                                "its answer says that cluster CIDR %d is full".formatted(exhausted.index()));
                    case NodeCidrRefusal other ->
                        throw new AssertionError("%s was refused: %s".formatted(question.node(), other.sentence()));
                }
                promise(question, List.of());
            }
        }
    }

    void told(Question question, Removal removal) {
        requireSometime(
                question,
                state -> state.find(question.node()).isEmpty(),
                "its answer says that it is gone (%s)".formatted(removal));
        boolean wasThere =
                states.get(question.since()).view().find(question.node()).isPresent();
        if (removal instanceof Removal.Refused && question.exclusive() && wasThere) {
            throw new AssertionError("%s was there and no other request removes it, and the answer is %s"
                    .formatted(question.node(), removal));
        }
        promise(question, List.of());
    }

    /// A failure says that nothing was written.
    void toldFailed(Question question) {
        promise(question, held(states.get(question.since()).view(), question.node()));
    }

    /// Every node with such a name holds something, unless a cluster CIDR is full.
    void requireServed(String namePrefix) {
        var state = states.getLast().view();
        boolean anyFull = state.sets().stream().anyMatch(NodeCidrWitness::full);
        for (var node : state.nodes()) {
            if (node.name().startsWith(namePrefix) && node.podCidrs().isEmpty() && !anyFull) {
                throw new AssertionError(node.name() + " was never served");
            }
        }
    }

    int states() {
        return states.size();
    }

    private void promise(Question question, List<String> cidrs) {
        if (question.exclusive()) {
            var held = held(states.getLast().view(), question.node());
            if (!held.equals(cidrs)) {
                throw new AssertionError("%s got the answer %s and holds %s".formatted(question.node(), cidrs, held));
            }
            promised.put(question.node(), cidrs);
        }
    }

    private void requireSometime(Question question, Predicate<NodeCidrView> truth, String claim) {
        int asked = question.since();
        int now = states.size() - 1;
        boolean seen = states.subList(asked, now + 1).stream().map(State::view).anyMatch(truth)
                || IntStream.rangeClosed(asked + 1, now)
                        .mapToObj(number -> passing(asked, number))
                        .flatMap(List::stream)
                        .anyMatch(truth);
        if (!seen) {
            throw new AssertionError("%s: %s, and that was never so".formatted(question.node(), claim));
        }
    }

    /// The views that the requests of one commit left for each other on the way to a state. A request that
    /// gives CIDRs does not conflict with one that takes some back. So a commit may have been decided on
    /// any state since it was asked for in which the nodes that it removes exist and the nodes that it
    /// gives CIDRs hold nothing.
    private List<NodeCidrView> passing(int asked, int number) {
        var entries = ledger.read(1, Journal.PAGE_RECORDS_MAX).stream()
                .map(Ledger.Recorded::entry)
                .filter(entry -> entry.revision() == states.get(number).revision())
                .toList();
        var views = new ArrayList<NodeCidrView>();
        if (entries.size() > 1) {
            for (int base = asked; base < number; base++) {
                views.addAll(replayed(entries, states.get(base).view()));
            }
        }
        return views;
    }

    /// Nothing, if the entries cannot have been decided on this state.
    private static List<NodeCidrView> replayed(List<Ledger.Entry> entries, NodeCidrView base) {
        var views = new ArrayList<NodeCidrView>();
        var view = base;
        for (var entry : entries) {
            for (var holder : holders(entry.returned())) {
                if (view.find(holder).isEmpty()) {
                    return List.of();
                }
                view = view.with(new NodeCidrChange.TakeBack(holder, List.of()));
            }
            for (var holder : holders(entry.granted())) {
                if (!held(view, holder).isEmpty()) {
                    return List.of();
                }
                view = view.with(new NodeCidrChange.GiveCidrs(holder, prefixes(entry.granted())));
            }
            views.add(view);
        }
        return views;
    }

    private static List<String> holders(List<Holding> holdings) {
        return holdings.stream()
                .map(holding -> holding.holder().substring(NODE.length()))
                .distinct()
                .toList();
    }

    private static List<Prefix> prefixes(List<Holding> holdings) {
        return holdings.stream()
                .map(holding -> holding.range().prefixes().getFirst())
                .toList();
    }

    private static List<String> held(NodeCidrView state, String node) {
        return state.find(node).map(NodeEntry::podCidrs).orElse(List.of());
    }

    private static boolean full(CidrSet set) {
        return set.usedCount() == set.blockCount();
    }
}
