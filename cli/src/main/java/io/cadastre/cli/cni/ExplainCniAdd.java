package io.cadastre.cli.cni;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.NodeOption;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.SpiderpoolOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "add",
        description = {
            "Show which addresses 'cadastre cni add' would get for a namespace, and which pools,"
                    + " blocks and ranges it would use or skip. Nothing is written.",
            "CNI_ARGS is read as the plugins read it."
        },
        footer = {
            "Examples:",
            "  cadastre explain cni add blue /run/netns/one",
            "  cadastre explain cni add blue /run/netns/one --node node-2 -o json"
        })
public final class ExplainCniAdd implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final AttachmentOptions attachment = new AttachmentOptions();

    @Mixin
    private final IpamSectionOption ipamOption = new IpamSectionOption();

    @Option(
            names = "--container",
            paramLabel = "ID",
            defaultValue = "",
            description = "Container ID; default: an ID derived from NETNS.")
    private String container = "";

    @Mixin
    private final NodeOption node = new NodeOption();

    @Mixin
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainCniAdd(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        var environment = context.environment();
        var request = attachment.request(environment);
        var network = ipamOption.section().isEmpty()
                ? ExplainedNetwork.in(attachment.folder(environment).load(attachment.network()))
                : ExplainedNetwork.of(attachment.network(), ipamOption.section());
        try (var ipam = CalicoSession.openToExplain(options, context)) {
            return new ExplainedCall(
                            "interface %s of %s".formatted(request.ifname(), request.netns()),
                            node.name(),
                            network,
                            container.isEmpty() ? request.containerId() : container,
                            request.ifname(),
                            AttachmentOptions.arguments(environment))
                    .annotatedIn(ipam.session().pods())
                    .explain(ipam.session(), spiderpool)
                    .print(context.out(), formatOption.format());
        }
    }
}
