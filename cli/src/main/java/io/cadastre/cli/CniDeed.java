package io.cadastre.cli;

import io.cadastre.cni.runtime.AttachmentRequest;
import io.cadastre.cni.runtime.CniRuntime;
import io.cadastre.cni.runtime.CniTool;
import io.cadastre.cni.runtime.Deadline;
import io.cadastre.cni.runtime.NetworkFolder;
import io.cadastre.cni.runtime.NetworkList;
import io.cadastre.cni.runtime.PluginPath;
import io.cadastre.cni.runtime.PluginRunner;
import io.cadastre.cni.runtime.ResultCache;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniVerb;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;

/// What a container runtime does with a network, by hand.
@Command
final class CniDeed implements Callable<Integer> {

    private final Surroundings surroundings;
    private final CniVerb verb;

    @Parameters(index = "0", paramLabel = "NET", description = "The name of the network.")
    private String network = "";

    @Parameters(index = "1", paramLabel = "NETNS", description = "The path of a namespace.")
    private String netns = "";

    @Option(
            names = {"-i", "--ifname"},
            paramLabel = "NAME",
            defaultValue = "",
            description = "The interface; default $CNI_IFNAME, or " + CniTool.IFNAME + ".")
    private String ifname = "";

    @Option(
            names = "--bin-dir",
            paramLabel = "DIRS",
            defaultValue = "",
            description =
                    "Where the plugins are, divided by colons; default $CNI_PATH, or"
                            + " /opt/cni/bin.")
    private String binDirectories = "";

    @Option(
            names = "--conf-dir",
            paramLabel = "DIR",
            defaultValue = "",
            description = "Where the networks are; default $NETCONFPATH, or /etc/cni/net.d.")
    private String confDirectory = "";

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni",
            description = "Where results are remembered; default ${DEFAULT-VALUE}.")
    private String cacheDirectory = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "220",
            description = "How long all plugins together may take; default ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    private CniDeed(Surroundings surroundings, CniVerb verb) {
        this.surroundings = surroundings;
        this.verb = verb;
    }

    /// The command of a verb.
    static CommandLine command(Surroundings surroundings, CniVerb verb, String description) {
        var command = new CommandLine(new CniDeed(surroundings, verb));
        var name = name(verb);
        command.getCommandSpec().name(name);
        command.getCommandSpec()
                .usageMessage()
                .description(
                        description,
                        "CNI_ARGS and CAP_ARGS are passed on to the plugins as cnitool does.")
                .footer("Examples:", "  cadastre cni %s blue /run/netns/one".formatted(name));
        return command;
    }

    static String name(CniVerb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() {
        if (timeoutSeconds < 1) {
            throw new UsageException(
                    "--timeout is %d; it must be 1 or more".formatted(timeoutSeconds));
        }
        var list = new NetworkFolder(Path.of(said(confDirectory, "NETCONFPATH", "/etc/cni/net.d")));
        run(list.load(network), request(), Deadline.after(Duration.ofSeconds(timeoutSeconds)));
        return ExitCode.DONE;
    }

    private void run(NetworkList list, AttachmentRequest request, Deadline deadline) {
        var runtime = runtime();
        switch (verb) {
            case ADD -> {
                var result = runtime.add(list, request, deadline);
                surroundings.out().print(result.print(result.cniVersion()));
                surroundings.out().flush();
            }
            case CHECK -> runtime.check(list, request, deadline);
            case DEL -> runtime.del(list, request, deadline);
            case GC -> runtime.gc(list, deadline);
            case STATUS -> runtime.status(list, deadline);
            case VERSION -> throw new IllegalStateException("no command asks for versions");
        }
    }

    private CniRuntime runtime() {
        return new CniRuntime(
                PluginPath.parse(said(binDirectories, "CNI_PATH", "/opt/cni/bin")),
                new PluginRunner(surroundings.environment(), this::tell, surroundings.pause()),
                new ResultCache(Path.of(cacheDirectory)));
    }

    private void tell(Bytes stderr) {
        surroundings.err().print(stderr.utf8());
    }

    private AttachmentRequest request() {
        var environment = surroundings.environment();
        return CniTool.request(
                netns,
                said(ifname, "CNI_IFNAME", CniTool.IFNAME),
                environment.getOrDefault("CNI_ARGS", ""),
                environment.getOrDefault("CAP_ARGS", ""));
    }

    private String said(String option, String variable, String otherwise) {
        if (!option.isEmpty()) {
            return option;
        }
        var set = surroundings.environment().getOrDefault(variable, "");
        return set.isEmpty() ? otherwise : set;
    }
}
