package io.cadastre.cli.cni;

import io.cadastre.agent.hostlocal.Migration;
import io.cadastre.agent.hostlocal.NodePod;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.run.AgentRun;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.kubernetes.NodeName;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "upgrade",
        description = {
            "Move the addresses that host-local assigned to pods of this node into Calico's blocks,"
                    + " as calico-ipam -upgrade does.",
            "The datastore is not ready during the upgrade, and the plugins calico and host-local are"
                    + " removed permanently. If interrupted, run it again to continue."
        },
        footer = {
            "Addresses that belong to no known pod of the node are forgotten.",
            "",
            "Examples:",
            "  KUBERNETES_NODE_NAME=node-1 cadastre cni upgrade",
            "  cadastre cni upgrade --node node-1 --bin-dir /host/opt/cni/bin"
        })
final class CniUpgrade implements Callable<Integer> {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final CommandContext context;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            defaultValue = "",
            description = "Name of this node; default $KUBERNETES_NODE_NAME.")
    private String node = "";

    @Option(
            names = "--network-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni/networks/" + Migration.NETWORK,
            description = "Directory of host-local's addresses; default ${DEFAULT-VALUE}.")
    private String networkDirectory = "";

    @Option(
            names = "--bin-dir",
            paramLabel = "DIR",
            defaultValue = "/host/opt/cni/bin",
            description = "Directory of the plugins to remove; default ${DEFAULT-VALUE}.")
    private String binDirectory = "";

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "60",
            description = "Maximum number of attempts, one second apart; default ${DEFAULT-VALUE}.")
    private int attemptsMax;

    @Option(
            names = "--force",
            description = "Proceed even if no pod of the node is known, which forgets every address.")
    private boolean force;

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    CniUpgrade(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        var name = nodeName();
        if (attemptsMax < 1) {
            throw new UsageException("--attempts is %d; it must be 1 or more".formatted(attemptsMax));
        }
        try (var session = Session.open(storeOptions, context)) {
            var migration = new Migration(
                    AgentRun.means(session, session.datastore(), session.ledger()),
                    name,
                    Path.of(networkDirectory).toAbsolutePath().normalize(),
                    Path.of(binDirectory).toAbsolutePath().normalize());
            for (int attempt = 1; attempt < attemptsMax; attempt++) {
                try {
                    if (attempt(migration, session, name)) {
                        return ExitCode.DONE;
                    }
                } catch (CniException | UncheckedIOException failure) {
                    context.complain(String.valueOf(failure.getMessage()));
                }
                context.pause().pause(BETWEEN_ATTEMPTS);
            }
            return attempt(migration, session, name) ? ExitCode.DONE : ExitCode.REFUSED;
        }
    }

    private String nodeName() {
        var name = node.isEmpty() ? context.environment().getOrDefault("KUBERNETES_NODE_NAME", "") : node;
        if (name.isEmpty()) {
            throw new UsageException("no node name is given; use --node, or set KUBERNETES_NODE_NAME");
        }
        NodeName.fault(name).ifPresent(fault -> {
            throw new UsageException(fault);
        });
        return name;
    }

    /// Before anything is changed, and again when the pods are known that came since.
    private List<NodePod> requirePods(List<NodePod> pods, String name) {
        if (pods.isEmpty() && !force) {
            throw new CommandRefusedException(
                    "no pod of node %s is known, so every address in %s would be forgotten; use"
                                    .formatted(name, networkDirectory)
                            + " --force if no container is running");
        }
        return pods;
    }

    /// Returns whether it is done.
    private boolean attempt(Migration migration, Session session, String name) throws InterruptedException {
        var pods = new StoredPods(session.datastore());
        if (migration.due()) {
            requirePods(pods.fetchPods(name), name);
        }
        switch (migration.migrate(() -> requirePods(pods.fetchPods(name), name))) {
            case Migration.Outcome.NothingToDo _ -> {
                context.out().println("nothing to do");
                return true;
            }
            case Migration.Outcome.Done(var moved, var forgotten) -> {
                moved.forEach(address -> context.out().println(address + " moved"));
                forgotten.forEach(address -> context.out().println(address + " forgotten"));
                return true;
            }
            case Migration.Outcome.Unfinished(var moved, var faults) -> {
                moved.forEach(address -> context.out().println(address + " moved"));
                faults.forEach(context::complain);
                return false;
            }
        }
    }
}
