package io.cadastre.cli;

import io.cadastre.agent.hostlocal.Migration;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.kubernetes.NodeName;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

@Command(
        name = "upgrade",
        description = {
            "Hand the addresses that pods of this node have by host-local over to Calico's blocks,"
                    + " as calico-ipam -upgrade does.",
            "While it lasts the cluster's store is not ready, and the plugins calico and host-local"
                    + " are removed for good. Doing it again goes on where it stopped."
        },
        footer = {
            "An address of no pod that is known on the node is forgotten.",
            "",
            "Examples:",
            "  KUBERNETES_NODE_NAME=node-1 cadastre cni upgrade",
            "  cadastre cni upgrade --node node-1 --bin-dir /host/opt/cni/bin"
        })
final class CniUpgrade implements Callable<Integer> {

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final Surroundings surroundings;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            defaultValue = "",
            description = "The name of this node; default $KUBERNETES_NODE_NAME.")
    private String node = "";

    @Option(
            names = "--network-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni/networks/" + Migration.NETWORK,
            description = "Where host-local keeps its addresses; default ${DEFAULT-VALUE}.")
    private String networkDirectory = "";

    @Option(
            names = "--bin-dir",
            paramLabel = "DIR",
            defaultValue = "/host/opt/cni/bin",
            description = "Where the plugins to be removed are; default ${DEFAULT-VALUE}.")
    private String binDirectory = "";

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "60",
            description = "How often it is tried, a second apart; default ${DEFAULT-VALUE}.")
    private int attemptsMax;

    @Option(
            names = "--force",
            description =
                    "Also if no pod of the node is known, so that every address is forgotten.")
    private boolean force;

    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    CniUpgrade(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        var name = nodeName();
        if (attemptsMax < 1) {
            throw new UsageException(
                    "--attempts is %d; it must be 1 or more".formatted(attemptsMax));
        }
        try (var office = Office.open(storeOptions, surroundings)) {
            var migration =
                    new Migration(
                            AgentRun.means(office, office.datastore(), office.ledger()),
                            name,
                            Path.of(networkDirectory).toAbsolutePath().normalize(),
                            Path.of(binDirectory).toAbsolutePath().normalize());
            for (int attempt = 1; attempt < attemptsMax; attempt++) {
                try {
                    if (attempt(migration, office, name)) {
                        return ExitCode.DONE;
                    }
                } catch (CniException | UncheckedIOException failure) {
                    surroundings.complain(String.valueOf(failure.getMessage()));
                }
                surroundings.pause().pause(BETWEEN_ATTEMPTS);
            }
            return attempt(migration, office, name) ? ExitCode.DONE : ExitCode.REFUSED;
        }
    }

    private String nodeName() {
        var name =
                node.isEmpty()
                        ? surroundings.environment().getOrDefault("KUBERNETES_NODE_NAME", "")
                        : node;
        if (name.isEmpty()) {
            throw new UsageException("no node is named: say --node, or set KUBERNETES_NODE_NAME");
        }
        NodeName.fault(name)
                .ifPresent(
                        fault -> {
                            throw new UsageException(fault);
                        });
        return name;
    }

    /// Tells whether it is done.
    private boolean attempt(Migration migration, Office office, String name)
            throws InterruptedException {
        var residents = new StoredPods(office.datastore()).fetchResidents(name);
        if (residents.isEmpty() && migration.due() && !force) {
            throw new RefusedException(
                    "no pod of node %s is known, so every address in %s would be forgotten; say"
                                    .formatted(name, networkDirectory)
                            + " --force if no container runs");
        }
        switch (migration.migrate(residents)) {
            case Migration.Outcome.NothingToDo _ -> {
                surroundings.out().println("nothing to do");
                return true;
            }
            case Migration.Outcome.Done(var moved, var forgotten) -> {
                moved.forEach(address -> surroundings.out().println(address + " moved"));
                forgotten.forEach(address -> surroundings.out().println(address + " forgotten"));
                return true;
            }
            case Migration.Outcome.Unfinished(var moved, var faults) -> {
                moved.forEach(address -> surroundings.out().println(address + " moved"));
                faults.forEach(surroundings::complain);
                return false;
            }
        }
    }
}
