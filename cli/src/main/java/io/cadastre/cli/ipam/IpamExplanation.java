package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.agent.AddExplanation;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Documents;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Format;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.Assignment;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/// A decision about addresses that is explained and not carried out.
///
/// @param subject what would be given them, for example `node n`
/// @param addresses what would be given
/// @param refusal why not, or not all; empty if all would be
public record IpamExplanation(
        String subject,
        String node,
        List<String> addresses,
        String refusal,
        List<Because> because,
        List<? extends Change> changes) {

    /// The decision of `ipam assign`.
    private IpamExplanation(String node, Decision<BlockChange, ?> decision, List<String> addresses, String refusal) {
        this("node " + node, node, addresses, refusal, decision.because(), decision.changes());
    }

    /// The decision of a CNI ADD.
    public static IpamExplanation ofAdding(String subject, String node, AddExplanation explanation) {
        return new IpamExplanation(
                subject,
                node,
                explanation.addresses().stream().map(Object::toString).toList(),
                explanation.refusal(),
                explanation.because(),
                explanation.changes());
    }

    /// Decides on what is stored now. Nothing is written, and nothing is created to be looked at.
    static IpamExplanation ofAssigning(AssignOptions options, CalicoOptions calicoOptions, CommandContext context) {
        try (var ipam = CalicoSession.openToExplain(calicoOptions, context)) {
            ClusterFacts.requireUnlocked(ipam.session().datastore());
            return options.single() ? ofOne(options, ipam) : ofAny(options, ipam);
        }
    }

    private static IpamExplanation ofOne(AssignOptions options, CalicoSession ipam) {
        var decision = ipam.blocks().explain(options.addressRequest(ipam));
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned(var lease) ->
                new IpamExplanation(
                        options.node(), decision, List.of(lease.address().toString()), "");
            case AddressAssignment.Refused(var refusal) ->
                new IpamExplanation(
                        options.node(), decision, List.of(), refusal.sentence().strip());
        };
    }

    private static IpamExplanation ofAny(AssignOptions options, CalicoSession ipam) {
        var decision = ipam.blocks().explain(options.request(ipam));
        var addresses =
                decision.outcome().addresses().stream().map(Object::toString).toList();
        return switch (decision.outcome()) {
            case Assignment.Done done ->
                new IpamExplanation(
                        options.node(),
                        decision,
                        addresses,
                        done.shares().stream()
                                .flatMap(share -> share.shortfall().stream())
                                .collect(Collectors.joining("; ")));
            case Assignment.Stopped(var _, var refusal) ->
                new IpamExplanation(
                        options.node(), decision, List.of(), refusal.sentence().strip());
        };
    }

    /// Prints it and gives the exit code that the command would have.
    public int print(PrintStream out, Format format) {
        switch (format) {
            case TABLE, WIDE -> printSentences(out);
            case NAME -> addresses.forEach(address -> out.println("ip/" + address));
            case JSON -> Documents.printJson(out, document());
            case YAML -> Documents.printYaml(out, document());
        }
        return refusal.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private void printSentences(PrintStream out) {
        out.println(outcome());
        because.forEach(reason -> out.println("  because " + reason.sentence()));
        changes.forEach(change -> out.println("  would " + change.sentence()));
        out.println("  nothing was written");
    }

    private String outcome() {
        var given = addresses.isEmpty()
                ? "%s would be given nothing".formatted(subject)
                : "%s would be given %s".formatted(subject, String.join(" ", addresses));
        return refusal.isEmpty() ? given : given + ": " + refusal;
    }

    private JsonNode document() {
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "Explanation").put("node", node).put("outcome", outcome());
        addresses.forEach(document.putArray("ips")::add);
        because.stream().map(Because::sentence).forEach(document.putArray("because")::add);
        changes.stream().map(Change::sentence).forEach(document.putArray("changes")::add);
        return document;
    }
}
