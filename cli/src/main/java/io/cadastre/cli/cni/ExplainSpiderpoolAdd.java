package io.cadastre.cli.cni;

import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.FormatOption;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniNames;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "add",
        description = {
            "Show which addresses of Spiderpool's pools an interface of a pod would get now: which rule names the"
                    + " pools, why each of the others is excluded, the order of the rest, and the"
                    + " address. Nothing is written.",
            "Pools that only the CNI configuration names are given with --ipam."
        },
        footer = {
            "Examples:",
            "  cadastre explain spiderpool add shop/web-0",
            "  cadastre explain spiderpool add shop/web-0 --nic net1 --node node-2 -o json",
            "  cadastre explain spiderpool add shop/web-0 --ipam"
                    + " '{\"type\":\"spiderpool\",\"default_ipv4_ippool\":[\"web\"]}'"
        })
public final class ExplainSpiderpoolAdd implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final ExplainedPodOptions pod = new ExplainedPodOptions();

    @Option(
            names = "--nic",
            paramLabel = "NAME",
            defaultValue = CniTool.IFNAME,
            description = "Interface of the pod; default ${DEFAULT-VALUE}.")
    private String nic = "";

    @Mixin
    private final IpamSectionOption ipamOption = new IpamSectionOption();

    @Mixin
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    @Mixin
    private final FormatOption formatOption = new FormatOption();

    public ExplainSpiderpoolAdd(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        pod.check();
        checkNic();
        spiderpool.settings(context);
        try (var ipam = CalicoSession.openToExplain(options, context)) {
            return asked(ipam.session().pods())
                    .explain(ipam.session(), spiderpool)
                    .print(context.out(), formatOption.format());
        }
    }

    private void checkNic() {
        try {
            CniNames.checkInterfaceName(nic);
        } catch (CniException impossible) {
            throw new UsageException(
                    "--nic '%s': %s".formatted(nic, impossible.error().msg()));
        }
    }

    private ExplainedCall asked(StoredPods pods) {
        var host = pod.node(pods);
        return new ExplainedCall(
                "NIC %s of pod %s on node %s".formatted(nic, pod, host),
                host,
                ExplainedNetwork.ofPools(ipamOption.section()),
                ExplainedPodOptions.CONTAINER,
                nic,
                pod.arguments());
    }
}
