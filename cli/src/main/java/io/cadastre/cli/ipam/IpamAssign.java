package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Documents;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.ExplainHint;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignedAddress;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.UnsettledException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "assign",
        description = {
            "Assign addresses on a node and print them, one per line.",
            "Does by hand what a CNI plugin does for a pod. The node must have a Node document (see"
                    + " 'cadastre apply'). If fewer addresses are available than requested, those are"
                    + " assigned and the exit code is 3."
        },
        footer = {
            "Examples:",
            "  cadastre ipam assign --node node-1",
            "  cadastre ipam assign --node node-1 --num4 10 --handle web",
            "  cadastre ipam assign --node node-1 --ip 10.244.0.17",
            "  cadastre ipam assign --node node-1 --pool default --explain"
        })
final class IpamAssign implements Callable<Integer> {

    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final AssignOptions assignOptions = new AssignOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    @Option(names = "--explain", description = "Show what would be decided and why. Nothing is written.")
    private boolean explain;

    IpamAssign(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        assignOptions.check();
        if (explain) {
            return IpamExplanation.ofAssigning(assignOptions, options, context)
                    .print(context.out(), formatOption.format());
        }
        try (var ipam = CalicoSession.open(options, context)) {
            ClusterFacts.requireUnlocked(ipam.session().datastore());
            return assignOptions.single() ? assignOne(ipam) : assignAny(ipam);
        }
    }

    private int assignOne(CalicoSession ipam) {
        return switch (ipam.blocks().enact(assignOptions.addressRequest(ipam))) {
            case AddressAssignment.Assigned(var lease) -> {
                print(List.of(lease));
                yield ExitCode.DONE;
            }
            case AddressAssignment.Refused(var refusal) -> refuse(refusal);
        };
    }

    private int assignAny(CalicoSession ipam) {
        var assignment = ipam.blocks().enact(assignOptions.request(ipam));
        var leases = assignment.shares().stream()
                .flatMap(share -> share.leases().stream())
                .toList();
        return switch (assignment) {
            case Assignment.Done done -> {
                print(leases);
                var shortfalls = done.shares().stream()
                        .flatMap(share -> share.shortfall().stream())
                        .toList();
                shortfalls.forEach(context::complain);
                if (!shortfalls.isEmpty()) {
                    suggestExplain();
                }
                yield shortfalls.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
            }
            case Assignment.Stopped(var _, var refusal) -> {
                giveBack(ipam, leases);
                yield refuse(refusal);
            }
        };
    }

    /// A request that failed half way does not need what it was given before. If that cannot be given back,
    /// because the store failed, what is still held is reported.
    private void giveBack(CalicoSession ipam, List<AssignedAddress> leases) {
        if (leases.isEmpty()) {
            return;
        }
        var options = leases.stream()
                .map(lease -> ReleaseOption.of(lease.address().toString()).withHandle(assignOptions.handle()))
                .toList();
        var words = "ipam assign on %s: give back".formatted(assignOptions.node());
        try {
            ipam.blocks().enact(AddressRelease.of(words, options, ipam.now()));
        } catch (DatastoreException | UnsettledException failure) {
            context.err()
                    .println("These %d addresses were assigned and could not be released (%s):"
                            .formatted(leases.size(), failure.getMessage()));
            leases.forEach(lease -> context.err().println(lease.address()));
        }
    }

    private int refuse(BlockRefusal refusal) {
        context.complain(refusal.sentence().strip());
        if (refusal instanceof BlockRefusal.NotThere(var id, var _) && id.startsWith("Node(")) {
            context.err().println("Apply a Node document with this name first: see 'cadastre apply'.");
        }
        suggestExplain();
        return ExitCode.REFUSED;
    }

    private void suggestExplain() {
        context.err().println(ExplainHint.of(spec));
    }

    private void print(List<AssignedAddress> leases) {
        var out = context.out();
        switch (formatOption.format()) {
            case TABLE -> leases.forEach(lease -> out.println(lease.address()));
            case WIDE -> leases.forEach(lease -> out.println(lease.address() + " " + lease.network()));
            case NAME -> leases.forEach(lease -> out.println("ip/" + lease.address()));
            case JSON -> Documents.printJson(out, document(leases));
            case YAML -> Documents.printYaml(out, document(leases));
        }
    }

    private JsonNode document(List<AssignedAddress> leases) {
        var document = JsonNodeFactory.instance.objectNode();
        document.put("kind", "Assignment").put("node", assignOptions.node());
        var ips = document.putArray("ips");
        for (var lease : leases) {
            ips.addObject()
                    .put("ip", lease.address().toString())
                    .put("block", lease.network().toString());
        }
        return document;
    }
}
