package io.cadastre.cli.cni;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cni.runtime.AttachmentRequest;
import io.cadastre.cni.runtime.CniRuntime;
import io.cadastre.cni.runtime.NetworkList;
import io.cadastre.cni.runtime.PluginPath;
import io.cadastre.cni.runtime.PluginRunner;
import io.cadastre.cni.runtime.ResultCache;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniVerb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A CNI operation of a container runtime, by hand.
@Command
final class CniOperation implements Callable<Integer> {

    private final CommandContext context;
    private final CniVerb verb;

    @Mixin
    private final AttachmentOptions attachment = new AttachmentOptions();

    @Option(
            names = "--bin-dir",
            paramLabel = "DIRS",
            defaultValue = "",
            description = "Plugin directories, separated by colons; default $CNI_PATH, or /opt/cni/bin.")
    private String binDirectories = "";

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/cni",
            description = "Directory of cached results; default ${DEFAULT-VALUE}.")
    private String cacheDirectory = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "220",
            description = "Time limit for all plugins together; default ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    private CniOperation(CommandContext context, CniVerb verb) {
        this.context = context;
        this.verb = verb;
    }

    /// The command of a verb.
    static CommandLine command(CommandContext context, CniVerb verb, String description) {
        var command = new CommandLine(new CniOperation(context, verb));
        var name = name(verb);
        command.getCommandSpec().name(name);
        command.getCommandSpec()
                .usageMessage()
                .description(description, "Passes CNI_ARGS and CAP_ARGS to the plugins, as cnitool does.")
                .footer("Examples:", "  cadastre cni %s blue /run/netns/one".formatted(name));
        return command;
    }

    static String name(CniVerb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() {
        if (timeoutSeconds < 1) {
            throw new UsageException("--timeout is %d; it must be 1 or more".formatted(timeoutSeconds));
        }
        var environment = context.environment();
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
                context.out().print(result.print(result.cniVersion()));
                context.out().flush();
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
                        AttachmentOptions.firstSet(binDirectories, "CNI_PATH", "/opt/cni/bin", context.environment())),
                new PluginRunner(context.environment(), this::log, context.pause()),
                new ResultCache(Path.of(cacheDirectory)));
    }

    private void log(Bytes stderr) {
        context.err().print(stderr.utf8());
    }
}
