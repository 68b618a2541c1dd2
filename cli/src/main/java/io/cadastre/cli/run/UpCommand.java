package io.cadastre.cli.run;

import io.cadastre.agent.AgentSettings;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.NodeOption;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.SpiderpoolOptions;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.linux.LockedFile;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "up",
        description = {
            "Run the store and the agent on this machine until interrupted.",
            "In the embedded store, creates a default pool if there is none, unless --no-default-pool is"
                    + " given. Other commands can use the same store meanwhile."
        },
        footer = {
            "Examples:",
            "  cadastre up",
            "  cadastre up --default-pool 10.99.0.0/16",
            "  cadastre up --node node-1 --data-dir /tmp/trial --no-default-pool"
        })
public final class UpCommand implements Callable<Integer> {

    private final CommandContext context;

    @Mixin
    private final NodeOption node = new NodeOption();

    @Mixin
    private final DefaultPool defaultPool = new DefaultPool();

    @Mixin
    private final AgentOptions agentOptions = new AgentOptions();

    @Mixin
    private final RetentionOptions retention = new RetentionOptions();

    @Mixin
    private final SpiderpoolOptions spiderpool = new SpiderpoolOptions();

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    public UpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var environment = context.environment();
        var settings = agentOptions.settings(options.store(), environment);
        var bounds = retention.bounds();
        var pools = spiderpool.settings(context);
        var name = node.name();
        try (var _ = lock(options.store().dataDirectory(environment))) {
            if (!hasPools()) {
                defaultPool.create(options, context);
            }
            return new AgentRun(context, options.store(), settings, name, bounds, pools)
                    .run(() -> announce(name, settings));
        }
    }

    /// The kernel releases the lock when the process ends, however it ends.
    private static LockedFile lock(Path dataDirectory) {
        try {
            Files.createDirectories(
                    dataDirectory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "cannot create the data directory %s: %s".formatted(dataDirectory, failure), failure);
        }
        return LockedFile.lock(dataDirectory.resolve("up.lock"), Duration.ZERO)
                .orElseThrow(() -> new CommandRefusedException(
                        "another 'cadastre up' runs on %s; interrupt it, or name".formatted(dataDirectory)
                                + " another directory with --data-dir"));
    }

    private void announce(String name, AgentSettings settings) {
        var out = context.out();
        out.println("node    " + name);
        out.println("store   " + store());
        out.println("socket  " + settings.socket());
        out.println("spool   " + settings.spool());
        if (hasPools()) {
            inviteToTry(name, out);
        } else {
            out.println(HOW_TO_GET_A_POOL.replace("FOLDER", folder()).replace("COMMAND", command("apply -f -")));
        }
        out.println("Interrupt with Ctrl-C.");
    }

    private void inviteToTry(String name, PrintStream out) {
        out.println("Try, in another terminal%s:".formatted(folder()));
        for (var words : List.of(
                "ipam assign --node " + name, "ipam show --show-blocks", "explain ipam assign --node " + name)) {
            out.println("  " + command(words));
        }
    }

    private static final String HOW_TO_GET_A_POOL = """
        There is no pool yet, so no address can be assigned. Apply one, in another terminalFOLDER:
          COMMAND <<'EOF'
          apiVersion: projectcalico.org/v3
          kind: IPPool
          metadata: {name: default}
          spec: {cidr: 10.77.0.0/16}
        EOF\
        """;

    /// Where a command is to be pasted that names the launcher by a relative path.
    private String folder() {
        return launcher().startsWith("./") ? " in " + Path.of("").toAbsolutePath() : "";
    }

    private String launcher() {
        return context.environment().getOrDefault("CADASTRE_COMMAND", "cadastre");
    }

    /// A command that works when pasted: on the same store.
    private String command(String words) {
        var environment = context.environment();
        return Stream.of(launcher(), words, options.store().repeated(environment))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private String store() {
        var environment = context.environment();
        return switch (options.store().kind(environment)) {
            case EMBEDDED ->
                Session.storeIn(options.store().dataDirectory(environment)).toString();
            case ETCD -> "etcd";
            case KUBERNETES -> "the Kubernetes API";
        };
    }

    private boolean hasPools() {
        if (!Session.exists(options.store(), context)) {
            return false;
        }
        try (var session = Session.openToLook(options.store(), context)) {
            return hasAny(session.datastore(), CalicoKeys.POOLS) || hasSpiderpools(session.datastore());
        }
    }

    private static boolean hasAny(Datastore store, String prefix) {
        return !store.list(prefix, 1).documents().isEmpty();
    }

    /// Pools of Spiderpool that may not be read give this user no address.
    private static boolean hasSpiderpools(Datastore store) {
        try {
            return hasAny(store, SpiderKeys.POOLS);
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.DENIED) {
                return false;
            }
            throw failed;
        }
    }
}
