package io.cadastre.cli;

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

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "remove",
        description = {
            "Remove nodes and take their CIDRs back.",
            "A CIDR that was taken back rests until the search for free ones has come round."
        },
        footer = {
            "Examples:",
            "  cadastre node-cidr remove node-1",
            "  cadastre node-cidr remove node-1 node-2"
        })
final class NodeCidrRemove implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final NodeNames nodeNames = new NodeNames();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    NodeCidrRemove(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private static Removal remove(
            String node, Datastore store, Registrar<NodeCidrView, NodeCidrChange> registrar) {
        return NodeBook.findRemoval(store, node)
                .map(removal -> registrar.enact(request(removal)))
                .orElseGet(() -> new Removal.Refused(new NoSuchNode(node)));
    }

    private static Request<NodeCidrView, NodeCidrChange, Removal> request(RemoveRequest removal) {
        return new Request<>(
                "node-cidr remove " + removal.node(), view -> NodeCidrEngine.remove(view, removal));
    }

    @Override
    public Integer call() {
        var nodes = nodeNames.checked();
        if (!Office.exists(storeOptions, surroundings)) {
            nodes.forEach(node -> surroundings.complain(new NoSuchNode(node).sentence()));
            return ExitCode.REFUSED;
        }
        return remove(nodes);
    }

    private int remove(List<String> nodes) {
        var removals = new ArrayList<Removal>();
        storeOptions.refuseCluster(surroundings.environment(), "node CIDRs are given");
        try (var office = Office.open(storeOptions, surroundings)) {
            var book =
                    new NodeBook(
                            office.datastore(), NodeCidrOptions.NO_CLUSTER, surroundings.clock());
            var registrar = office.registrar(book);
            try (var _ =
                    Progress.show(
                            surroundings,
                            () -> "%d of %d nodes done".formatted(removals.size(), nodes.size()))) {
                Errands.run(
                        nodes,
                        node -> remove(node, office.datastore(), registrar),
                        (_, removal) -> {
                            removals.add(removal);
                            print(removal);
                        });
            }
        }
        return removals.stream().anyMatch(Removal.Refused.class::isInstance)
                ? ExitCode.REFUSED
                : ExitCode.DONE;
    }

    private void print(Removal removal) {
        switch (removal) {
            case Removal.Removed(var node, _) -> {
                surroundings.out().println("node/%s removed".formatted(node));
                surroundings.out().flush();
            }
            case Removal.Refused(var refusal) -> surroundings.complain(refusal.sentence());
        }
    }
}
