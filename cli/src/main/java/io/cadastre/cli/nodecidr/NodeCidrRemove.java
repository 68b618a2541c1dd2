package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Concurrently;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.NoSuchNode;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Removal;
import io.cadastre.engine.nodecidr.RemoveRequest;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "remove",
        description = {
            "Remove nodes and release their CIDRs.",
            "A released CIDR is reused only after the search for free CIDRs has wrapped around."
        },
        footer = {"Examples:", "  cadastre node-cidr remove node-1", "  cadastre node-cidr remove node-1 node-2"})
final class NodeCidrRemove implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final NodeNames nodeNames = new NodeNames();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    NodeCidrRemove(CommandContext context) {
        this.context = context;
    }

    private static Removal remove(String node, Datastore store, Registrar<NodeCidrView, NodeCidrChange> registrar) {
        return NodeBook.findRemoval(store, node)
                .map(removal -> registrar.enact(request(removal)))
                .orElseGet(() -> new Removal.Refused(new NoSuchNode(node)));
    }

    private static Request<NodeCidrView, NodeCidrChange, Removal> request(RemoveRequest removal) {
        return new Request<>("node-cidr remove " + removal.node(), view -> NodeCidrEngine.remove(view, removal));
    }

    @Override
    public Integer call() {
        var nodes = nodeNames.checked();
        if (!Session.exists(storeOptions, context)) {
            nodes.forEach(node -> context.complain(new NoSuchNode(node).sentence()));
            return ExitCode.REFUSED;
        }
        return remove(nodes);
    }

    private int remove(List<String> nodes) {
        var removals = new ArrayList<Removal>();
        storeOptions.refuseCluster(context.environment(), "node CIDRs are assigned");
        try (var session = Session.open(storeOptions, context)) {
            var book = new NodeBook(session.datastore(), NodeCidrOptions.NO_CLUSTER, context.clock());
            var registrar = session.registrar(book);
            try (var _ = Progress.show(context, () -> "%d of %d nodes done".formatted(removals.size(), nodes.size()))) {
                Concurrently.run(nodes, node -> remove(node, session.datastore(), registrar), (_, removal) -> {
                    removals.add(removal);
                    print(removal);
                });
            }
        }
        return removals.stream().anyMatch(Removal.Refused.class::isInstance) ? ExitCode.REFUSED : ExitCode.DONE;
    }

    private void print(Removal removal) {
        switch (removal) {
            case Removal.Removed(var node, var _) -> {
                context.out().println("node/%s removed".formatted(node));
                context.out().flush();
            }
            case Removal.Refused(var refusal) -> context.complain(refusal.sentence());
        }
    }
}
