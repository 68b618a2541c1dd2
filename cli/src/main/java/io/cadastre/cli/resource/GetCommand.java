package io.cadastre.cli.resource;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = {
            "Show resources: ippools, ipreservations, ipamconfigurations, nodes, and the allocator's"
                    + " own ipamblocks, blockaffinities and ipamhandles.",
            "Spiderpool resources: spiderippools (sp), spiderreservedips (sr), spidersubnets (ss),"
                    + " spidercoordinators (scc), and spiderendpoints (se) and spidermultusconfigs (smc), which are"
                    + " named NAMESPACE/NAME.",
            "Cilium resources: ciliumnodes (cn) and ciliumpodippools (cpip).",
            "Kubernetes' own: pods (NAMESPACE/NAME), namespaces, and nodes.v1; 'nodes' are Calico's.",
            "Ranges that nodes get CIDRs of: clustercidrs (cc), and clustercidrs.networking.k8s.io for those of"
                    + " Kubernetes 1.25 to 1.28.",
            "Name a block by its CIDR, with or without dashes."
        },
        footer = {
            "Examples:",
            "  cadastre get ippools",
            "  cadastre get ippool default -o yaml",
            "  cadastre get ipamblock 10.244.0.0/26 -o json"
        })
public final class GetCommand implements Callable<Integer> {

    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "KIND", description = "Kind of resource.")
    private String kind = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Name of the resource; default: all.")
    private String name = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public GetCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var parsed = KnownKinds.parse(kind);
        try (var ipam = CalicoSession.openToLook(options, context)) {
            var found = fetch(ipam, parsed).stream()
                    .filter(shown -> name.isEmpty() || isNamed(shown))
                    .toList();
            if (!name.isEmpty() && found.isEmpty()) {
                throw new CommandRefusedException(new Removed.NotThere(parsed.named(name)).sentence());
            }
            var layout = ShownResource.layout(parsed, ipam.now());
            if (name.isEmpty()) {
                layout.printList(
                        context.out(),
                        formatOption.format(),
                        found,
                        parsed.traits().apiVersion(),
                        parsed.word() + "List");
            } else {
                layout.print(context.out(), formatOption.format(), found);
            }
        }
        return ExitCode.DONE;
    }

    private boolean isNamed(ShownResource shown) {
        return shown.name().equals(name)
                || (shown.kind().equals(CalicoKinds.BLOCK)
                        && shown.document().at("/spec/cidr").asText().equals(name));
    }

    private static List<ShownResource> fetch(CalicoSession ipam, ResourceKind parsed) {
        if (parsed.equals(CalicoKinds.CONFIGURATION)) {
            var config = ipam.ask(view -> view.config());
            return List.of(new ShownResource(parsed, ConfigurationDocument.NAME, ConfigurationDocument.of(config)));
        }
        if (SpiderKinds.ALL.contains(parsed)) {
            SpiderpoolSession.checkPlace(ipam.session().datastore());
        }
        return ShownResource.all(ipam.session().datastore(), parsed);
    }
}
