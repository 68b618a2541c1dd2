package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "get",
        description = {
            "Show resources: ippools, ipreservations, ipamconfigurations, nodes, and what the"
                    + " allocator keeps: ipamblocks, blockaffinities, ipamhandles.",
            "Of Spiderpool: spiderippools, spiderreservedips, and spiderendpoints, each named by"
                    + " its namespace, a slash and its name.",
            "A block is named by its CIDR, with or without dashes."
        },
        footer = {
            "Examples:",
            "  cadastre get ippools",
            "  cadastre get ippool default -o yaml",
            "  cadastre get ipamblock 10.244.0.0/26 -o json"
        })
final class GetCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "KIND", description = "What kind of resource.")
    private String kind = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Which one; all, if none is named.")
    private String name = "";

    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    GetCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var parsed = ResourceKind.parse(kind);
        try (var desk = IpamDesk.openToLook(options, surroundings)) {
            var found =
                    fetch(desk, parsed).stream()
                            .filter(shown -> name.isEmpty() || isNamed(shown))
                            .toList();
            if (!name.isEmpty() && found.isEmpty()) {
                throw new RefusedException(
                        "resource does not exist: %s(%s) with error: <nil>"
                                .formatted(parsed.word(), name));
            }
            var layout = ShownResource.layout(parsed);
            if (name.isEmpty()) {
                layout.printList(
                        surroundings.out(),
                        formatOption.format(),
                        found,
                        parsed.apiVersion(),
                        parsed.word() + "List");
            } else {
                layout.print(surroundings.out(), formatOption.format(), found);
            }
        }
        return ExitCode.DONE;
    }

    private boolean isNamed(ShownResource shown) {
        return shown.name().equals(name)
                || (shown.kind() == ResourceKind.BLOCK
                        && shown.document().at("/spec/cidr").asText().equals(name));
    }

    private static List<ShownResource> fetch(IpamDesk desk, ResourceKind parsed) {
        if (parsed == ResourceKind.CONFIGURATION) {
            var config = desk.ask(view -> view.config());
            return List.of(
                    new ShownResource(
                            parsed, ConfigurationDocument.NAME, ConfigurationDocument.of(config)));
        }
        return ShownResource.all(desk.office().datastore(), parsed);
    }
}
