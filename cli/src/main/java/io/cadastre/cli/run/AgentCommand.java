package io.cadastre.cli.run;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.NodeOption;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.cli.session.StoreOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "agent",
        description = {
            "Serve CNI plugin calls on this node until interrupted.",
            "Creates a Node document for the node if none exists, and first processes the DEL calls"
                    + " that plugins spooled while no agent ran. 'cadastre cni install' installs the"
                    + " plugins."
        },
        footer = {
            "Examples:",
            "  cadastre agent",
            "  cadastre agent --node node-1 --datastore etcdv3",
            "  cadastre agent --spiderpool-config /etc/spiderpool/conf.yml"
        })
public final class AgentCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final NodeOption node = new NodeOption();

    @Mixin
    private final AgentOptions agentOptions = new AgentOptions();

    @Option(
            names = "--spiderpool-socket",
            paramLabel = "PATH",
            defaultValue = "",
            description = {
                "Socket on which the agent serves the API of Spiderpool's agent, so that Spiderpool's own"
                        + " plugin can use the pools of this store. Usually"
                        + " /var/run/spidernet/spiderpool.sock. Default: not served."
            })
    private String spiderpoolSocket = "";

    @Option(
            names = "--spiderpool-listen",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = {
                "Address of this machine for the metrics and health checks of Spiderpool's agent; default"
                        + " ${DEFAULT-VALUE}. Metrics are served if SPIDERPOOL_ENABLED_METRIC is true, on"
                        + " SPIDERPOOL_METRIC_HTTP_PORT; health checks if SPIDERPOOL_HEALTH_PORT is set."
            })
    private String spiderpoolListen = "";

    @Mixin
    private final RetentionOptions retention = new RetentionOptions();

    @Mixin
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    public AgentCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var settings = agentOptions.settings(storeOptions, context.environment());
        var name = node.name();
        var pools = spiderpool.settings(context);
        var run = new AgentRun(context, storeOptions, settings, name, retention.bounds(), pools).monitoredOn(host());
        return (spiderpoolSocket.isEmpty()
                        ? run
                        : run.servingSpiderpool(AgentOptions.path("--spiderpool-socket", spiderpoolSocket)))
                .run(() -> context.out().println("agent of node %s answers on %s".formatted(name, settings.socket())));
    }

    private InetAddress host() {
        var address = new InetSocketAddress(spiderpoolListen.replaceAll("^\\[(.*)\\]$", "$1"), 0);
        if (spiderpoolListen.isEmpty() || address.isUnresolved()) {
            throw new UsageException("--spiderpool-listen: '%s' is not an address of this machine; give an IP address"
                    .formatted(spiderpoolListen));
        }
        return address.getAddress();
    }
}
