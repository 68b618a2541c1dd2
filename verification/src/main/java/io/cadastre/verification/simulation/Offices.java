package io.cadastre.verification.simulation;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.engine.nodecidr.RemoveRequest;
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
            Ledger ledger,
            SeededScheduler scheduler,
            RandomGenerator dice) {}

    /// The office that ships: the real registrar on the real book.
    static Office real(Datastore store, Desk desk) {
        return on(new NodeBook(store, desk.config(), desk.scheduler()), desk);
    }

    /// The real registrar on any book.
    static Office on(Book<NodeCidrView, NodeCidrChange> book, Desk desk) {
        var registrar =
                new Registrar<>(
                        book,
                        desk.ledger(),
                        new Registrar.Limits(12, 8, 100, Duration.ofMillis(50)),
                        desk.scheduler(),
                        desk.dice(),
                        desk.scheduler()::pause);
        return new Office() {
            @Override
            public Assignment add(String node) {
                return registrar.enact(
                        new Request<>(
                                "add " + node,
                                view -> NodeCidrEngine.add(view, new AddRequest(node))));
            }

            @Override
            public Removal remove(String node) {
                return registrar.enact(
                        new Request<>(
                                "remove " + node,
                                view -> NodeCidrEngine.remove(view, new RemoveRequest(node))));
            }
        };
    }
}
