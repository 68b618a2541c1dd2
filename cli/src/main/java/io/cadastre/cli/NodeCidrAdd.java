package io.cadastre.cli;

import io.cadastre.engine.nodecidr.AddRequest;
import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrEngine;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.registry.Request;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.survey.StoreRanges;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

@Command(
        name = "add",
        description = {
            "Give each node a CIDR out of the cluster CIDR, and print it.",
            "A node that has one keeps it and gets the same answer again. Nodes named together are"
                    + " given theirs at once, in any order."
        },
        footer = {
            "Examples:",
            "  cadastre node-cidr add node-1 --cluster-cidr 10.244.0.0/16",
            "  cadastre node-cidr add node-1 node-2 --cluster-cidr 10.244.0.0/16"
                    + " --node-cidr-mask-size 26",
            "  cadastre node-cidr add node-1 --cluster-cidr 10.244.0.0/16,fd00:10:244::/56 -o yaml",
            "  ETCD_ENDPOINTS=http://127.0.0.1:2379 cadastre node-cidr add node-1 \\",
            "      --cluster-cidr 10.244.0.0/16 --datastore etcdv3"
        })
final class NodeCidrAdd implements Callable<Integer> {

    private final Surroundings surroundings;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private final NodeNames nodeNames = new NodeNames();
    @Mixin private final NodeCidrOptions nodeCidrOptions = new NodeCidrOptions();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    @Option(
            names = "--explain",
            description = "Show what would be decided and why, for one node. Nothing is written.")
    private boolean explain;

    NodeCidrAdd(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    static Request<NodeCidrView, NodeCidrChange, Assignment> request(String node) {
        return new Request<>(
                "node-cidr add " + node, view -> NodeCidrEngine.add(view, new AddRequest(node)));
    }

    @Override
    public Integer call() {
        var nodes = nodeNames.checked();
        if (explain) {
            nodeNames.single("--explain");
        }
        var config = nodeCidrOptions.config(surroundings);
        if (config.isEmpty()) {
            return NodeCidrOptions.refuse(surroundings, nodes);
        }
        return explain ? explain(nodes.getFirst(), config.get()) : add(nodes, config.get());
    }

    private int explain(String node, NodeCidrConfig config) {
        var explanation = NodeCidrExplanation.ofAdding(node, config, storeOptions, surroundings);
        explanation.print(surroundings.out(), formatOption.format());
        return explanation.exitCode();
    }

    private int add(List<String> nodes, NodeCidrConfig config) {
        storeOptions.refuseCluster(surroundings.environment(), "node CIDRs are given");
        try (var office = Office.open(storeOptions, surroundings)) {
            var registrar =
                    office.registrar(
                            new NodeBook(
                                    office.datastore(),
                                    config,
                                    surroundings.clock(),
                                    StoreRanges::besideNodeCidr));
            var answers = new Answers(nodes.size(), formatOption.format());
            try (var _ = Progress.show(surroundings, answers::progress)) {
                Errands.run(nodes, node -> registrar.enact(request(node)), answers::report);
            }
            switch (formatOption.format()) {
                case TABLE, WIDE, NAME -> {}
                case JSON, YAML -> printDocuments(office, answers.assigned);
            }
            if (answers.refused.isEmpty()) {
                return ExitCode.DONE;
            }
            surroundings.err().println(hint(nodes, answers.refused.getFirst()));
            return ExitCode.REFUSED;
        }
    }

    /// About one node, since an explanation is.
    private String hint(List<String> nodes, String refused) {
        var others = new LinkedHashSet<>(nodes);
        others.remove(refused);
        return ExplainCommand.hint(spec, others);
    }

    private void printDocuments(Office office, Set<String> names) {
        var nodes =
                StoredNode.all(office.datastore()).stream()
                        .filter(node -> names.contains(node.name()))
                        .toList();
        StoredNode.LAYOUT.print(surroundings.out(), formatOption.format(), nodes);
    }

    /// What came of the nodes so far. What a person or a script sees as given is durable.
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

        void report(String node, Assignment assignment) {
            switch (assignment) {
                case Assignment.Assigned(var name, var podCidrs) -> {
                    assigned.add(name);
                    print(name, String.join(",", podCidrs));
                }
                case Assignment.Refused(var refusal) -> {
                    refused.add(node);
                    surroundings.complain(
                            "node %s is given no CIDR: %s".formatted(node, refusal.sentence()));
                }
            }
        }

        private void print(String node, String cidrs) {
            switch (format) {
                case TABLE -> surroundings.out().println(asked == 1 ? cidrs : node + " " + cidrs);
                case WIDE -> surroundings.out().println(node + " " + cidrs);
                case NAME -> surroundings.out().println("node/" + node);
                case JSON, YAML -> {}
            }
            surroundings.out().flush();
        }
    }
}
