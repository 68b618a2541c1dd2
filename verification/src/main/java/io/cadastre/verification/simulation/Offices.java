package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Journal;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.registry.Book;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeBook;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Opens the office of a process that has just started.
@FunctionalInterface
interface Offices {

    Office open(Datastore store, Desk desk);

    /// What an office needs besides the store.
    record Desk(
            NodeCidrConfig config,
            Journal journal,
            LedgerWitness ledgerWitness,
            SeededScheduler scheduler,
            RandomGenerator dice) {

        /// The same, with the ledger in another journal.
        Desk with(Journal other) {
            return new Desk(config, other, ledgerWitness, scheduler, dice);
        }
    }

    /// The office that ships: the real registrar on the real book.
    static Office real(Datastore store, Desk desk) {
        return on(new NodeBook(store, desk.config(), desk.scheduler()), store, desk);
    }

    /// The real registrar on any book.
    static Office on(Book<NodeCidrView, NodeCidrChange> book, Datastore store, Desk desk) {
        var registrar =
                new Registrar<>(
                        book,
                        new Ledger(desk.journal()),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        desk.scheduler(),
                        desk.dice(),
                        desk.scheduler()::pause);
        return new Office() {

            private <O> O enact(Request<NodeCidrView, NodeCidrChange, O> request) {
                long lastNumber = desk.ledgerWitness().lastNumber();
                var outcome = desk.ledgerWitness().asking(() -> registrar.enact(request));
                desk.ledgerWitness().answered(request.words(), outcome, lastNumber);
                return outcome;
            }

            @Override
            public Assignment add(String node) {
                return enact(
                        new Request<>(
                                "add " + node,
                                view -> NodeCidrEngine.add(view, new AddRequest(node))));
            }

            @Override
            public Removal remove(String node) {
                return NodeBook.findRemoval(store, node)
                        .map(
                                removal ->
                                        enact(
                                                new Request<>(
                                                        "remove " + node,
                                                        view ->
                                                                NodeCidrEngine.remove(
                                                                        view, removal))))
                        .orElseGet(() -> new Removal.Refused(new NodeCidrRefusal.NoSuchNode(node)));
            }
        };
    }
}
