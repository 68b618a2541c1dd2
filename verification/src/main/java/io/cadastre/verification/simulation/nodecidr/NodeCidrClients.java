package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.verification.simulation.runtime.LedgerWitness;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.SeededScheduler;
import io.cadastre.wire.kubernetes.NodeBook;
import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// Opens the client of a process that has just started.
@FunctionalInterface
interface NodeCidrClients {

    NodeCidrClient open(Datastore store, ProcessContext context);

    /// What a client needs besides the store.
    record ProcessContext(
            ProcessLife life,
            NodeCidrConfig config,
            Journal journal,
            LedgerWitness ledgerWitness,
            SeededScheduler scheduler,
            RandomGenerator dice) {

        /// The same, with the ledger in another journal.
        ProcessContext with(Journal other) {
            return new ProcessContext(life, config, other, ledgerWitness, scheduler, dice);
        }
    }

    /// The client with the code that ships: the real registrar on the real book.
    static NodeCidrClient real(Datastore store, ProcessContext context) {
        return on(new NodeBook(store, context.config(), context.scheduler()), store, context);
    }

    /// The real registrar on any book.
    static NodeCidrClient on(Book<NodeCidrView, NodeCidrChange> book, Datastore store, ProcessContext context) {
        var registrar = new Registrar<>(
                book,
                new Ledger(context.journal()),
                new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                context.scheduler(),
                context.dice(),
                context.scheduler()::pause);
        return new NodeCidrClient() {

            private <O> O enact(String words, Function<NodeCidrView, Decision<NodeCidrChange, O>> law) {
                return context.ledgerWitness().enact(context.life(), registrar, words, (view, _) -> law.apply(view));
            }

            @Override
            public NodeCidrAssignment add(String node) {
                return enact("add " + node, view -> NodeCidrEngine.add(view, new AddRequest(node)));
            }

            @Override
            public Removal remove(String node) {
                return NodeBook.findRemoval(store, node)
                        .map(removal -> enact("remove " + node, view -> NodeCidrEngine.remove(view, removal)))
                        .orElseGet(() -> new Removal.Refused(new NodeCidrRefusal.NoSuchNode(node)));
            }
        };
    }
}
