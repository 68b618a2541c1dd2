package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.ExplainHint;
import io.cadastre.cli.command.Explanation;
import io.cadastre.cli.command.Format;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.Progress;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.engine.nodecidr.Start;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.survey.StoreRanges;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "add",
        description = {
            "Assign each node a CIDR from the cluster CIDR and print it.",
            "A node that already has a CIDR keeps it. Several nodes get theirs in the order in which they are named."
        },
        footer = {
            "Examples:",
            "  cadastre node-cidr add node-1 --cluster-cidr 10.244.0.0/16",
            "  cadastre node-cidr add node-1 node-2 --cluster-cidr 10.244.0.0/16" + " --node-cidr-mask-size 26",
            "  cadastre node-cidr add node-1 --cluster-cidr 10.244.0.0/16,fd00:10:244::/56 -o yaml",
            "  ETCD_ENDPOINTS=http://127.0.0.1:2379 cadastre node-cidr add node-1 \\",
            "      --cluster-cidr 10.244.0.0/16 --datastore etcdv3"
        })
final class NodeCidrAdd implements Callable<Integer> {

    /// At most this many are asked for at once; the registrar would reject more.
    private static final int AT_ONCE_MAX = 1024;

    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final NodeNames nodeNames = new NodeNames();

    @Mixin
    private final NodeCidrOptions nodeCidrOptions = new NodeCidrOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    @Option(names = "--explain", description = "Show what would be decided and why, for one node. Nothing is written.")
    private boolean explain;

    NodeCidrAdd(CommandContext context) {
        this.context = context;
    }

    static Request<NodeCidrView, NodeCidrChange, NodeCidrAssignment> request(String node) {
        return new Request<>("node-cidr add " + node, view -> NodeCidrEngine.add(view, new AddRequest(node)));
    }

    @Override
    public Integer call() {
        var nodes = nodeNames.checked();
        if (explain) {
            nodeNames.single("--explain");
        }
        var config = nodeCidrOptions.config(context);
        if (config.isEmpty()) {
            return NodeCidrOptions.refuse(context, nodes);
        }
        return explain
                ? explain(nodes.getFirst(), config.get(), storeOptions, context)
                        .print(context.out(), formatOption.format())
                : add(nodes, config.get());
    }

    /// The decision on what is stored now. Nothing is written or created.
    static Explanation explain(String node, NodeCidrConfig config, StoreOptions storeOptions, CommandContext context) {
        try (var session = Session.openToExplain(storeOptions, context)) {
            boolean cluster = storeOptions.kind(context.environment()) == StoreOptions.Kind.KUBERNETES;
            if (cluster) {
                context.warn(
                        "this is what a controller that has just begun would do; where the cursor of the running one"
                                + " stands is in its memory only");
            }
            // A controller compares nothing with pools: in many clusters a pool is the cluster CIDR.
            var registrar = cluster
                    ? session.registrar(new NodeBook(session.datastore(), config, context.clock()))
                    : registrar(session, config);
            var decision = registrar.explain(request(node));
            return switch (decision.outcome()) {
                case NodeCidrAssignment.Assigned(var name, var podCidrs) ->
                    new Explanation(
                            node,
                            "node %s would %s %s"
                                    .formatted(
                                            name,
                                            decision.changes().isEmpty() ? "keep" : "be given",
                                            String.join(",", podCidrs)),
                            ExitCode.DONE,
                            List.of("node/" + node),
                            Map.of("podCIDRs", podCidrs),
                            decision.because(),
                            decision.changes());
                case NodeCidrAssignment.Refused(var refusal) ->
                    new Explanation(
                            node,
                            "node %s would be given no CIDR: %s".formatted(node, refusal.sentence()),
                            ExitCode.REFUSED,
                            List.of("node/" + node),
                            Map.of(),
                            decision.because(),
                            decision.changes());
            };
        }
    }

    private static Registrar<NodeCidrView, NodeCidrChange> registrar(Session session, NodeCidrConfig config) {
        return session.registrar(
                new NodeBook(session.datastore(), config, session.context().clock(), StoreRanges::besideNodeCidr));
    }

    private int add(List<String> nodes, NodeCidrConfig config) {
        storeOptions.refuseCluster(context.environment(), "node CIDRs are assigned");
        try (var session = Session.open(storeOptions, context)) {
            var registrar = registrar(session, config);
            var answers = new Answers(nodes.size(), formatOption.format());
            try (var _ = Progress.show(context, answers::progress)) {
                for (int from = 0; from < nodes.size(); from += AT_ONCE_MAX) {
                    var some = nodes.subList(from, Math.min(from + AT_ONCE_MAX, nodes.size()));
                    var asked = some.stream().map(NodeCidrAdd::request).toList();
                    registrar.enactAll(
                            asked, (request, answer) -> answers.report(some.get(asked.indexOf(request)), answer));
                }
            }
            warnOfMisfits(session, config);
            switch (formatOption.format()) {
                case TABLE, WIDE, NAME -> {}
                case JSON, YAML -> printDocuments(session, answers.assigned);
            }
            if (answers.refused.isEmpty()) {
                return ExitCode.DONE;
            }
            context.err().println(hint(nodes, answers.refused.getFirst()));
            return ExitCode.REFUSED;
        }
    }

    /// A node that does not fit the configuration does not keep others from their CIDRs, and a controller would not
    /// begin with it.
    private void warnOfMisfits(Session session, NodeCidrConfig config) {
        var view = new NodeBook(session.datastore(), config, context.clock())
                .open()
                .view();
        switch (NodeCidrEngine.start(view).outcome()) {
            case Start.Ready _ -> {}
            case Start.Refused(var refusal) -> context.warn(refusal.sentence());
        }
    }

    /// The hint names one node, since an explanation is about one.
    private String hint(List<String> nodes, String refused) {
        var others = new LinkedHashSet<>(nodes);
        others.remove(refused);
        return ExplainHint.of(spec, others);
    }

    private void printDocuments(Session session, Set<String> names) {
        var nodes = StoredNode.all(session.datastore()).stream()
                .filter(node -> names.contains(node.name()))
                .toList();
        StoredNode.LAYOUT.print(context.out(), formatOption.format(), nodes);
    }

    /// The answers so far. A CIDR is printed only after it is durable.
    private final class Answers {

        private final int asked;
        private final Format format;
        private final Set<String> assigned = new LinkedHashSet<>();
        private final List<String> refused = new ArrayList<>();

        Answers(int asked, Format format) {
            this.asked = asked;
            this.format = format;
        }

        String progress() {
            return "%d of %d nodes have their CIDR".formatted(assigned.size(), asked);
        }

        void report(String node, NodeCidrAssignment assignment) {
            switch (assignment) {
                case NodeCidrAssignment.Assigned(var name, var podCidrs) -> {
                    assigned.add(name);
                    print(name, String.join(",", podCidrs));
                }
                case NodeCidrAssignment.Refused(var refusal) -> {
                    refused.add(node);
                    context.complain("node %s gets no CIDR: %s".formatted(node, refusal.sentence()));
                }
            }
        }

        private void print(String node, String cidrs) {
            switch (format) {
                case TABLE -> context.out().println(asked == 1 ? cidrs : node + " " + cidrs);
                case WIDE -> context.out().println(node + " " + cidrs);
                case NAME -> context.out().println("node/" + node);
                case JSON, YAML -> {}
            }
            context.out().flush();
        }
    }
}
