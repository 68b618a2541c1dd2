package io.cadastre.cli;

import io.cadastre.cni.runtime.AttachmentRequest;
import io.cadastre.cni.runtime.CniRuntime;
import io.cadastre.cni.runtime.Deadline;
import io.cadastre.cni.runtime.NetworkList;
import io.cadastre.cni.runtime.PluginPath;
import io.cadastre.cni.runtime.PluginRunner;
import io.cadastre.cni.runtime.ResultCache;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniVerb;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;

/// What a container runtime does with a network, by hand.
@Command
final class CniDeed implements Callable<Integer> {

    private final Surroundings surroundings;
    private final CniVerb verb;

    @Mixin private final AttachmentOptions attachment = new AttachmentOptions();

    @Option(
            names = "--bin-dir",
            paramLabel = "DIRS",
            defaultValue = "",
            description =
                    "Where the plugins are, divided by colons; default $CNI_PATH, or"
                            + " /opt/cni/bin.")
    private String binDirectories = "";

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
        var environment = surroundings.environment();
        run(
                attachment.folder(environment).load(attachment.network()),
                attachment.request(environment),
                Deadline.after(Duration.ofSeconds(timeoutSeconds)));
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
                PluginPath.parse(
                        AttachmentOptions.said(
                                binDirectories,
                                "CNI_PATH",
                                "/opt/cni/bin",
                                surroundings.environment())),
                new PluginRunner(surroundings.environment(), this::tell, surroundings.pause()),
                new ResultCache(Path.of(cacheDirectory)));
    }

    private void tell(Bytes stderr) {
        surroundings.err().print(stderr.utf8());
    }
}
