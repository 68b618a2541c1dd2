package io.cadastre.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.Lease;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.registry.UnsettledException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "assign",
        description = {
            "Give addresses on a node, and print them, one a line.",
            "What a CNI plugin does for a pod, by hand. The node must have a Node document (see"
                    + " 'cadastre apply'). If fewer can be given than were asked for, those are"
                    + " given and the exit code is 3."
        },
        footer = {
            "Examples:",
            "  cadastre ipam assign --node node-1",
            "  cadastre ipam assign --node node-1 --num4 10 --handle web",
            "  cadastre ipam assign --node node-1 --ip 10.244.0.17",
            "  cadastre ipam assign --node node-1 --pool default --explain"
        })
final class IpamAssign implements Callable<Integer> {

    private final Surroundings surroundings;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private final AssignOptions assignOptions = new AssignOptions();
    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    @Option(
            names = "--explain",
            description = "Show what would be decided and why. Nothing is written.")
    private boolean explain;

    IpamAssign(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        assignOptions.check();
        if (explain) {
            return IpamExplanation.ofAssigning(assignOptions, options, surroundings)
                    .print(surroundings.out(), formatOption.format());
        }
        try (var desk = IpamDesk.open(options, surroundings)) {
            ClusterFacts.requireUnlocked(desk.office().datastore());
            return assignOptions.single() ? assignOne(desk) : assignAny(desk);
        }
    }

    private int assignOne(IpamDesk desk) {
        return switch (desk.blocks().enact(assignOptions.addressRequest(desk))) {
            case AddressAssignment.Assigned(var lease) -> {
                print(List.of(lease));
                yield ExitCode.DONE;
            }
            case AddressAssignment.Refused(var refusal) -> refuse(refusal);
        };
    }

    private int assignAny(IpamDesk desk) {
        var assignment = desk.blocks().enact(assignOptions.request(desk));
        var leases =
                assignment.shares().stream().flatMap(share -> share.leases().stream()).toList();
        return switch (assignment) {
            case Assignment.Done done -> {
                print(leases);
                var shortfalls =
                        done.shares().stream()
                                .flatMap(share -> share.shortfall().stream())
                                .toList();
                shortfalls.forEach(surroundings::complain);
                if (!shortfalls.isEmpty()) {
                    suggestExplain();
                }
                yield shortfalls.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
            }
            case Assignment.Stopped(_, var refusal) -> {
                giveBack(desk, leases);
                yield refuse(refusal);
            }
        };
    }

    /// A request that failed half way has no use for what it was given before. If that cannot be given
    /// back, because it was the store that failed, it is told what is held.
    private void giveBack(IpamDesk desk, List<Lease> leases) {
        if (leases.isEmpty()) {
            return;
        }
        var options =
                leases.stream()
                        .map(
                                lease ->
                                        ReleaseOption.of(lease.address().toString())
                                                .withHandle(assignOptions.handle()))
                        .toList();
        var words = "ipam assign on %s: give back".formatted(assignOptions.node());
        try {
            desk.blocks().enact(ReleaseRequest.of(words, options, desk.now()));
        } catch (DatastoreException | UnsettledException failure) {
            surroundings
                    .err()
                    .println(
                            "These %d addresses were given and could not be given back (%s):"
                                    .formatted(leases.size(), failure.getMessage()));
            leases.forEach(lease -> surroundings.err().println(lease.address()));
        }
    }

    private int refuse(BlockRefusal refusal) {
        surroundings.complain(refusal.sentence().strip());
        if (refusal instanceof BlockRefusal.NotThere(var id, _) && id.startsWith("Node(")) {
            surroundings
                    .err()
                    .println("Apply a Node document with this name first: see 'cadastre apply'.");
        }
        suggestExplain();
        return ExitCode.REFUSED;
    }

    private void suggestExplain() {
        surroundings.err().println(ExplainCommand.hint(spec));
    }

    private void print(List<Lease> leases) {
        var out = surroundings.out();
        switch (formatOption.format()) {
            case TABLE -> leases.forEach(lease -> out.println(lease.address()));
            case WIDE ->
                    leases.forEach(lease -> out.println(lease.address() + " " + lease.network()));
            case NAME -> leases.forEach(lease -> out.println("ip/" + lease.address()));
            case JSON -> Documents.printJson(out, document(leases));
            case YAML -> Documents.printYaml(out, document(leases));
        }
    }

    private JsonNode document(List<Lease> leases) {
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
