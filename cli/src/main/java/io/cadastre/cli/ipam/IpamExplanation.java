package io.cadastre.cli.ipam;

import io.cadastre.agent.AddExplanation;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.Explanation;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.Assignment;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Explanations of decisions about addresses.
public final class IpamExplanation {

    private IpamExplanation() {}

    /// The decision of a CNI ADD.
    ///
    /// @param subject what would get addresses, for example `node n`
    public static Explanation ofAdding(String subject, String node, AddExplanation decided) {
        var addresses = decided.addresses().stream().map(Object::toString).toList();
        var refusal = decided.refusal();
        var given = "%s would be given %s"
                .formatted(subject, addresses.isEmpty() ? "nothing" : String.join(" ", addresses));
        return new Explanation(
                node,
                refusal.isEmpty() ? given : given + ": " + refusal,
                refusal.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED,
                addresses.stream().map(address -> "ip/" + address).toList(),
                Map.of("ips", addresses),
                decided.because(),
                decided.changes());
    }

    /// The decision of `ipam assign` on what is stored now. Nothing is written or created.
    static Explanation ofAssigning(AssignOptions options, CalicoOptions calicoOptions, CommandContext context) {
        try (var ipam = CalicoSession.openToExplain(calicoOptions, context)) {
            ClusterFacts.requireUnlocked(ipam.session().datastore());
            return ofAdding(
                    "node " + options.node(),
                    options.node(),
                    options.single() ? one(options, ipam) : any(options, ipam));
        }
    }

    private static AddExplanation one(AssignOptions options, CalicoSession ipam) {
        var decision = ipam.blocks().explain(options.addressRequest(ipam));
        return switch (decision.outcome()) {
            case AddressAssignment.Assigned(var lease) -> AddExplanation.giving(List.of(lease.address()), decision);
            case AddressAssignment.Refused(var refusal) ->
                AddExplanation.refusing(refusal.sentence().strip(), decision);
        };
    }

    private static AddExplanation any(AssignOptions options, CalicoSession ipam) {
        var decision = ipam.blocks().explain(options.request(ipam));
        return switch (decision.outcome()) {
            case Assignment.Done done ->
                new AddExplanation(
                        done.addresses(),
                        done.shares().stream()
                                .flatMap(share -> share.shortfall().stream())
                                .collect(Collectors.joining("; ")),
                        decision.because(),
                        List.copyOf(decision.changes()));
            case Assignment.Stopped(var _, var refusal) ->
                AddExplanation.refusing(refusal.sentence().strip(), decision);
        };
    }
}
