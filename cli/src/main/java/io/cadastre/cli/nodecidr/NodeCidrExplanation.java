package io.cadastre.cli.nodecidr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Documents;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Format;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.survey.StoreRanges;
import java.io.PrintStream;

/// The decision of `node-cidr add`, explained and not carried out.
record NodeCidrExplanation(String node, Decision<NodeCidrChange, NodeCidrAssignment> decision) {

    /// Decides on what is stored now. Nothing is written, and nothing is created to be looked at.
    static NodeCidrExplanation ofAdding(
            String node, NodeCidrConfig config, StoreOptions storeOptions, CommandContext context) {
        storeOptions.refuseCluster(context.environment(), "node CIDRs are assigned");
        try (var session = Session.openToExplain(storeOptions, context)) {
            var book = new NodeBook(session.datastore(), config, context.clock(), StoreRanges::besideNodeCidr);
            return new NodeCidrExplanation(node, session.registrar(book).explain(NodeCidrAdd.request(node)));
        }
    }

    int exitCode() {
        return switch (decision.outcome()) {
            case NodeCidrAssignment.Assigned _ -> ExitCode.DONE;
            case NodeCidrAssignment.Refused _ -> ExitCode.REFUSED;
        };
    }

    void print(PrintStream out, Format format) {
        switch (format) {
            case TABLE, WIDE -> printSentences(out);
            case NAME -> out.println("node/" + node);
            case JSON -> Documents.printJson(out, document());
            case YAML -> Documents.printYaml(out, document());
        }
    }

    private void printSentences(PrintStream out) {
        out.println(outcome());
        decision.because().forEach(reason -> out.println("  because " + reason.sentence()));
        decision.changes().forEach(change -> out.println("  would " + change.sentence()));
        out.println("  nothing was written");
    }

    private String outcome() {
        return switch (decision.outcome()) {
            case NodeCidrAssignment.Assigned(var name, var podCidrs) ->
                "node %s would %s %s"
                        .formatted(
                                name, decision.changes().isEmpty() ? "keep" : "be given", String.join(",", podCidrs));
            case NodeCidrAssignment.Refused(var refusal) ->
                "node %s would be given no CIDR: %s".formatted(node, refusal.sentence());
        };
    }

    private JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "Explanation").put("node", node).put("outcome", outcome());
        if (decision.outcome() instanceof NodeCidrAssignment.Assigned(var _, var podCidrs)) {
            podCidrs.forEach(document.putArray("podCIDRs")::add);
        }
        decision.because().stream().map(Because::sentence).forEach(document.putArray("because")::add);
        decision.changes().stream().map(Change::sentence).forEach(document.putArray("changes")::add);
        return document;
    }
}
