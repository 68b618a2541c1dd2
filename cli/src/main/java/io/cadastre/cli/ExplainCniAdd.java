package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

@Command(
        name = "add",
        description = {
            "Show which addresses 'cadastre cni add' would be given for a namespace, and which"
                    + " pools, blocks and ranges were taken or passed over. Nothing is written.",
            "CNI_ARGS is read as the plugins read it."
        },
        footer = {
            "Examples:",
            "  cadastre explain cni add blue /run/netns/one",
            "  cadastre explain cni add blue /run/netns/one --node node-2 -o json"
        })
final class ExplainCniAdd implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin private final AttachmentOptions attachment = new AttachmentOptions();

    @Option(
            names = "--ipam",
            paramLabel = "JSON",
            defaultValue = "",
            description = "The ipam part of the network, in place of the one in --conf-dir.")
    private String ipam = "";

    @Option(
            names = "--container",
            paramLabel = "ID",
            defaultValue = "",
            description = "Its container; default one that is made up for NETNS.")
    private String container = "";

    @Mixin private final NodeOption node = new NodeOption();
    @Mixin private final CalicoOptions options = new CalicoOptions();
    @Mixin private final FormatOption formatOption = new FormatOption();

    ExplainCniAdd(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        var environment = surroundings.environment();
        var request = attachment.request(environment);
        var network =
                ipam.isEmpty()
                        ? ExplainedNetwork.in(
                                attachment.folder(environment).load(attachment.network()))
                        : ExplainedNetwork.of(attachment.network(), ipam);
        try (var desk = IpamDesk.openToExplain(options, surroundings)) {
            return new ExplainedCall(
                            "interface %s of %s".formatted(request.ifname(), request.netns()),
                            node.name(),
                            network,
                            container.isEmpty() ? request.containerId() : container,
                            request.ifname(),
                            AttachmentOptions.arguments(environment))
                    .annotatedIn(desk.office().pods())
                    .explain(desk.office())
                    .print(surroundings.out(), formatOption.format());
        }
    }
}
