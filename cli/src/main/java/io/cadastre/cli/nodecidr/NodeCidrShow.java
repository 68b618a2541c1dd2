package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Table;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.nodecidr.CidrSet;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.NoSuchNode;
import io.cadastre.engine.nodecidr.Start;
import io.cadastre.wire.kubernetes.NodeBook;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = {
            "Show the nodes and their CIDRs.",
            "With --cluster-cidr, also shows how many CIDRs are used and free, and which do not fit."
        },
        footer = {
            "Examples:",
            "  cadastre node-cidr show",
            "  cadastre node-cidr show node-1 -o yaml",
            "  cadastre node-cidr show --cluster-cidr 10.244.0.0/16"
        })
final class NodeCidrShow implements Callable<Integer> {

    private final CommandContext context;

    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Name of a node; default: all.")
    private @Nullable String name;

    @Mixin
    private final NodeCidrOptions nodeCidrOptions = new NodeCidrOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    NodeCidrShow(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var named = Optional.ofNullable(name);
        named.ifPresent(NodeNames::check);
        var config = nodeCidrOptions.configIfGiven(context);
        try (var session = Session.openToLook(storeOptions, context)) {
            var nodes = StoredNode.all(session.datastore()).stream()
                    .filter(node -> named.isEmpty() || node.name().equals(named.get()))
                    .toList();
            if (named.isPresent() && nodes.isEmpty()) {
                context.complain(new NoSuchNode(named.get()).sentence());
                return ExitCode.REFUSED;
            }
            StoredNode.LAYOUT.print(context.out(), formatOption.format(), nodes);
            config.ifPresent(known -> printClusters(session.datastore(), known));
            return ExitCode.DONE;
        }
    }

    private void printClusters(Datastore datastore, NodeCidrConfig config) {
        var view = new NodeBook(datastore, config, context.clock()).open().view();
        switch (formatOption.format()) {
            case TABLE, WIDE -> {
                context.out().println();
                boolean cluster = storeOptions.kind(context.environment()) == StoreOptions.Kind.KUBERNETES;
                // In a cluster the cursor is in the memory of the controller.
                clusters(
                                view.sets(),
                                set -> cluster ? "-" : set.block(set.cursor()).toString())
                        .print(context.out());
            }
            case JSON, YAML, NAME -> {}
        }
        switch (NodeCidrEngine.start(view).outcome()) {
            case Start.Ready _ -> {}
            case Start.Refused(var refusal) -> context.warn(refusal.sentence());
        }
    }

    private static Table clusters(List<CidrSet> sets, Function<CidrSet, String> cursor) {
        return new Table(
                List.of("CLUSTER", "MASK", "SIZE", "USED", "FREE", "CURSOR"),
                sets.stream()
                        .map(set -> List.of(
                                set.cluster().whole().toString(),
                                "/" + set.cluster().partLength(),
                                Integer.toString(set.blockCount()),
                                Integer.toString(set.usedCount()),
                                Integer.toString(set.blockCount() - set.usedCount()),
                                cursor.apply(set)))
                        .toList());
    }
}
