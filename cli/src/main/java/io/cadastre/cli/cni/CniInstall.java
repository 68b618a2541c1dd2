package io.cadastre.cli.cni;

import io.cadastre.agent.Spool;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.run.AgentOptions;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.cni.doorbell.DoorbellProgram;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniVersion;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "install",
        description = {
            "Install the CNI plugins, and a network configuration that uses them, where a container"
                    + " runtime looks for them.",
            "The plugins are cadastre-ipam and cadastre-net; --link installs the same program under"
                    + " further names. Installing again changes nothing. If a file exists that"
                    + " Cadastre did not install, nothing is installed unless --force is given."
        },
        footer = {
            "Examples:",
            "  cadastre cni install",
            "  cadastre cni install --bin-dir /tmp/bin --conf-dir /tmp/net.d --socket /tmp/a.sock",
            "  cadastre cni install --link calico-ipam",
            "  cadastre cni install --cni-version 1.1.0"
        })
final class CniInstall implements Callable<Integer> {

    /// The names by which the agent may be called besides its own.
    private static final List<String> LINKS = List.of("calico-ipam", "host-local", "spiderpool");

    private static final List<String> PROGRAMS = List.of("cadastre-ipam", "cadastre-net");

    private static final String NETWORK_FILE = "10-cadastre.conflist";

    private final CommandContext context;

    @Option(
            names = "--bin-dir",
            paramLabel = "DIR",
            defaultValue = "/opt/cni/bin",
            description = "Directory of CNI plugins; default ${DEFAULT-VALUE}.")
    private String binDirectory = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            defaultValue = "/etc/cni/net.d",
            description = "Directory of CNI network configurations; default ${DEFAULT-VALUE}.")
    private String confDirectory = "";

    @Option(
            names = "--link",
            paramLabel = "NAME",
            description = "Also install under this name: calico-ipam, host-local or spiderpool; may be repeated.")
    private List<String> links = List.of();

    /// A runtime that does not know a version refuses every ADD with it, though it shows its node as
    /// ready: containerd 1.6 knows none after 1.0.0.
    @Option(
            names = "--cni-version",
            paramLabel = "VERSION",
            defaultValue = "1.0.0",
            description = {
                "CNI version of the network configuration; default ${DEFAULT-VALUE}, which every"
                        + " current runtime supports.",
                "GC and STATUS require 1.1.0, which containerd supports since 2.0."
            })
    private String cniVersion = "";

    @Option(names = "--force", description = "Replace files that Cadastre did not install.")
    private boolean force;

    @Mixin
    private final AgentOptions agentOptions = new AgentOptions();

    @Mixin
    private final StoreOptions storeOptions = new StoreOptions();

    CniInstall(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        for (var link : links) {
            if (!LINKS.contains(link)) {
                throw new UsageException(
                        "--link is '%s'; it must be one of %s".formatted(link, String.join(", ", LINKS)));
            }
        }
        if (!CniVersion.KNOWN.contains(cniVersion)) {
            throw new UsageException("--cni-version is '%s'; it must be one of %s"
                    .formatted(cniVersion, String.join(", ", CniVersion.KNOWN)));
        }
        var settings = agentOptions.doorbell(storeOptions, context.environment());
        var files = files(settings);
        try {
            var foreign = files.stream().filter(CniInstall::isForeign).toList();
            if (!foreign.isEmpty() && !force) {
                for (var file : foreign) {
                    context.complain(
                            "%s exists and was not installed by Cadastre; --force replaces it".formatted(file.path()));
                }
                return ExitCode.REFUSED;
            }
            Spool.in(settings.spool());
            for (var file : files) {
                context.out().println("%s %s".formatted(file.path(), file.install()));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot install: " + failed, failed);
        }
        return ExitCode.DONE;
    }

    private static boolean isForeign(InstalledFile file) {
        return file.standing() == InstalledFile.State.FOREIGN && !isOurNetwork(file.path());
    }

    /// Whether a file is our network in any version: then no other program has changed it.
    private static boolean isOurNetwork(Path file) {
        return CniVersion.KNOWN.stream()
                .map(version -> networkFile(file, version))
                .anyMatch(network -> network.standing() == InstalledFile.State.SAME);
    }

    private static InstalledFile networkFile(Path path, String version) {
        var network = """
            {
                "cniVersion": "%s",
                "name": "cadastre",
                "plugins": [
                    {
                        "type": "cadastre-net",
                        "ipam": {
                            "type": "cadastre-ipam",
                            "dialect": "calico"
                        }
                    }
                ]
            }
            """.formatted(version);
        return new InstalledFile.Text(path, network, "rw-------");
    }

    private List<InstalledFile> files(DoorbellSettings settings) {
        var programs = Path.of(binDirectory).toAbsolutePath().normalize();
        var networks = Path.of(confDirectory).toAbsolutePath().normalize();
        var doorbell = DoorbellProgram.compiled().orElseGet(CniInstall::stub);
        var files = new ArrayList<InstalledFile>();
        files.add(new InstalledFile.Text(programs.resolve(DoorbellSettings.FILE), settings.text(), "rw-r--r--"));
        for (var name : PROGRAMS) {
            files.add(new InstalledFile.Program(programs.resolve(name), doorbell));
        }
        for (var name : links) {
            files.add(new InstalledFile.Link(programs.resolve(name), PROGRAMS.getFirst()));
        }
        files.add(networkFile(networks.resolve(NETWORK_FILE), cniVersion));
        return files;
    }

    private static Bytes stub() {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        var classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .toList();
        return DoorbellProgram.stub(java, classPath);
    }
}
