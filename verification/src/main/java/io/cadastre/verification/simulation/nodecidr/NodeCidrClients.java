package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrRefusal;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.registry.Book;
import io.cadastre.verification.simulation.runtime.ProcessContext;
import io.cadastre.wire.kubernetes.NodeBook;

/// Opens the client of a process that has just started.
@FunctionalInterface
interface NodeCidrClients {

    NodeCidrClient open(Datastore store, NodeCidrConfig config, ProcessContext context);

    /// The client with the code that ships: the real registrar on the real book.
    static NodeCidrClient real(Datastore store, NodeCidrConfig config, ProcessContext context) {
        return on(new NodeBook(store, config, context.scheduler()), store, context);
    }

    /// The real registrar on any book.
    static NodeCidrClient on(Book<NodeCidrView, NodeCidrChange> book, Datastore store, ProcessContext context) {
        var registrar = context.registrar(book);
        return new NodeCidrClient() {

            @Override
            public NodeCidrAssignment add(String node) {
                return registrar.enact("add " + node, (view, _) -> NodeCidrEngine.add(view, new AddRequest(node)));
            }

            @Override
            public Removal remove(String node) {
                return NodeBook.findRemoval(store, node)
                        .<Removal>map(removal ->
                                registrar.enact("remove " + node, (view, _) -> NodeCidrEngine.remove(view, removal)))
                        .orElseGet(() -> new Removal.Refused(new NodeCidrRefusal.NoSuchNode(node)));
            }
        };
    }
}
