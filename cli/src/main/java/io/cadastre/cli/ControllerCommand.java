package io.cadastre.cli;

import io.cadastre.controller.ControllerSettings;
import io.cadastre.controller.collection.GoDuration;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.ElectionSettings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.Callable;

@Command(
        name = "controller",
        description = {
            "Take back the addresses of pods and nodes that are gone, and blocks that stay empty,"
                    + " until interrupted.",
            "Several may run; a Lease decides which of them works. Pods and nodes are those of the"
                    + " Kubernetes API, also beside etcdv3 (see KUBECONFIG), or those that the"
                    + " embedded store has; while there are none, nothing is taken back. On etcdv3"
                    + " without a Kubernetes API no address is taken back, only blocks that stay"
                    + " empty."
        },
        footer = {
            "Examples:",
            "  cadastre controller",
            "  KUBECONFIG=admin.conf cadastre controller --datastore etcdv3 --leak-grace-period 5m"
        })
final class ControllerCommand implements Callable<Integer> {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int PORT_MAX = 65_535;

    private final Surroundings surroundings;

    @Option(
            names = "--identity",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "What this process is called in the Lease; default the name of this machine"
                            + " and something random.")
    private String identity = "";

    @Option(
            names = "--lease-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "kube-system",
            description = "Where the Lease is; default ${DEFAULT-VALUE}.")
    private String leaseNamespace = "";

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            defaultValue = "cadastre-controller",
            description = "The name of the Lease; default ${DEFAULT-VALUE}.")
    private String leaseName = "";

    @Option(
            names = "--leak-grace-period",
            paramLabel = "DURATION",
            defaultValue = "",
            description = {
                "How long an address may seem unused and a block be empty, for example 15m; with 0"
                        + " only what belongs to nodes that are gone is taken back.",
                "Default: what KubeControllersConfiguration default says, or 15m."
            })
    private String leakGracePeriod = "";

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1:9094",
            description =
                    "Where /livez, /readyz and /metrics are; without a host on every address;"
                            + " default ${DEFAULT-VALUE}.")
    private String listen = "";

    @Mixin private final RetentionOptions retention = new RetentionOptions();
    @Mixin private final StoreOptions storeOptions = new StoreOptions();

    ControllerCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var election = election();
        var grace = leakGrace();
        var address = address();
        return new ControllerRun(surroundings, storeOptions, retention.bounds())
                .run(source -> new ControllerSettings(election, grace, source, address));
    }

    private ElectionSettings election() {
        checkName("--lease-namespace", leaseNamespace);
        checkName("--lease-name", leaseName);
        return ElectionSettings.of(
                leaseNamespace, leaseName, identity.isEmpty() ? anyIdentity() : identity);
    }

    private static void checkName(String option, String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new UsageException("%s '%s' is no name".formatted(option, name));
        }
    }

    /// As controllers of Kubernetes make it.
    private String anyIdentity() {
        var random = HexFormat.of().toHexDigits(surroundings.dice().nextLong());
        try {
            return Files.readString(HOST_NAME).strip() + "_" + random;
        } catch (IOException unreadable) {
            throw new UsageException("this machine does not tell its name; say --identity");
        }
    }

    private LeakGrace leakGrace() {
        if (leakGracePeriod.isEmpty()) {
            return new LeakGrace.Configured();
        }
        return GoDuration.parse(leakGracePeriod)
                .<LeakGrace>map(LeakGrace.Fixed::new)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "--leak-grace-period '%s' is no duration; write it as 15m or 90s"
                                                .formatted(leakGracePeriod)));
    }

    private InetSocketAddress address() {
        int colon = listen.lastIndexOf(':');
        int port = colon < 0 ? -1 : port(listen.substring(colon + 1));
        if (port < 0) {
            throw new UsageException(
                    "--listen '%s' is no address and port; write it as 127.0.0.1:9094"
                            .formatted(listen));
        }
        var host = listen.substring(0, colon).replaceAll("^\\[(.*)\\]$", "$1");
        var address =
                host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UsageException("--listen: there is no host '%s'".formatted(host));
        }
        return address;
    }

    /// The number; less than zero if it is none.
    private static int port(String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(Character::isDigit);
        int port = digits ? Integer.parseInt(text) : -1;
        return port <= PORT_MAX ? port : -1;
    }
}
