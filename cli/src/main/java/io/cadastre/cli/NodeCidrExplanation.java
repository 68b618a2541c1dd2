package io.cadastre.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.engine.nodecidr.NodeCidrChange;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.survey.StoreRanges;

import java.io.PrintStream;

/// The decision of `node-cidr add`, told and not enacted.
record NodeCidrExplanation(String node, Decision<NodeCidrChange, Assignment> decision) {

    /// Decides on what is stored now. Nothing is written, and nothing is created to be looked at.
    static NodeCidrExplanation ofAdding(
            String node,
            NodeCidrConfig config,
            StoreOptions storeOptions,
            Surroundings surroundings) {
        storeOptions.refuseCluster(surroundings.environment(), "node CIDRs are given");
        try (var office = Office.openToExplain(storeOptions, surroundings)) {
            var book =
                    new NodeBook(
                            office.datastore(),
                            config,
                            surroundings.clock(),
                            StoreRanges::besideNodeCidr);
            return new NodeCidrExplanation(
                    node, office.registrar(book).explain(NodeCidrAdd.request(node)));
        }
    }

    int exitCode() {
        return switch (decision.outcome()) {
            case Assignment.Assigned _ -> ExitCode.DONE;
            case Assignment.Refused _ -> ExitCode.REFUSED;
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
            case Assignment.Assigned(var name, var podCidrs) ->
                    "node %s would %s %s"
                            .formatted(
                                    name,
                                    decision.changes().isEmpty() ? "keep" : "be given",
                                    String.join(",", podCidrs));
            case Assignment.Refused(var refusal) ->
                    "node %s would be given no CIDR: %s".formatted(node, refusal.sentence());
        };
    }

    private JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "Explanation").put("node", node).put("outcome", outcome());
        if (decision.outcome() instanceof Assignment.Assigned(_, var podCidrs)) {
            podCidrs.forEach(document.putArray("podCIDRs")::add);
        }
        decision.because().stream()
                .map(Because::sentence)
                .forEach(document.putArray("because")::add);
        decision.changes().stream()
                .map(Change::sentence)
                .forEach(document.putArray("changes")::add);
        return document;
    }
}
