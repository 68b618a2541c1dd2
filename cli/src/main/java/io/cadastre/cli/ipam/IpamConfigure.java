package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.GoBoolean;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Configuration;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.IpamConfig.Persistence;
import io.cadastre.registry.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "configure",
        description = "Change cluster-wide settings. Options not given keep their value.",
        footer = {
            "Examples:",
            "  cadastre ipam configure --strictaffinity=true",
            "  cadastre ipam configure --ip-cooldown-seconds=60",
            "  cadastre ipam show --show-configuration"
        })
final class IpamConfigure implements Callable<Integer> {

    private static final int COOLDOWN_SECONDS_MAX = 1200;

    private final CommandContext context;

    @Option(
            names = "--strictaffinity",
            paramLabel = "true|false",
            description = "Whether a node assigns addresses only from its own blocks.")
    private @Nullable String strictAffinity;

    @Option(
            names = "--max-blocks-per-host",
            paramLabel = "COUNT",
            description = "Maximum number of blocks per node and address family; 0 for the default of 20.")
    private @Nullable String blocksMax;

    @Option(
            names = "--kubevirt-ip-persistence",
            paramLabel = "Enabled|Disabled",
            description = "Whether a virtual machine keeps its address when it restarts.")
    private @Nullable String persistence;

    @Option(
            names = "--ip-cooldown-seconds",
            paramLabel = "SECONDS",
            description = "How long a released address is not reused, from 0 to 1200.")
    private @Nullable String cooldown;

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamConfigure(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (strictAffinity == null && blocksMax == null && persistence == null && cooldown == null) {
            throw new UsageException("at least one configuration option must be specified");
        }
        changed(IpamConfig.DEFAULT);
        try (var ipam = CalicoSession.open(options, context)) {
            switch (ipam.blocks().enact(request())) {
                case Configuration.Configured(var config) -> told(config);
                case Configuration.Refused(var refusal) ->
                    throw new CommandRefusedException("error: " + refusal.sentence());
            }
        }
        return ExitCode.DONE;
    }

    private Request<BlockView, BlockChange, Configuration> request() {
        return new Request<>("ipam configure", view -> BlockSettings.configure(view, changed(view.config())));
    }

    private IpamConfig changed(IpamConfig config) {
        var newConfig = config;
        if (strictAffinity != null) {
            newConfig = newConfig.withStrictAffinity(flag(strictAffinity));
        }
        if (blocksMax != null) {
            newConfig = newConfig.withMaxBlocksPerHost(
                    number(blocksMax, Integer.MAX_VALUE, "invalid value for maxblockhost. Use a valid number"));
        }
        if (persistence != null) {
            newConfig = newConfig.withPersistence(persistence(persistence));
        }
        if (cooldown != null) {
            newConfig = newConfig.withCooldownSeconds(number(
                    cooldown,
                    COOLDOWN_SECONDS_MAX,
                    "invalid value for --ip-cooldown-seconds. Use a number from 0" + " to 1200"));
        }
        return newConfig;
    }

    private static boolean flag(String text) {
        return GoBoolean.parse(text)
                .orElseThrow(() -> new UsageException("invalid value. Use true or false to set strictaffinity"));
    }

    private static int number(String text, int max, String otherwise) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, as for a number out of bounds.
        }
        throw new UsageException(otherwise);
    }

    private static Persistence persistence(String text) {
        return switch (text) {
            case "Enabled" -> Persistence.ENABLED;
            case "Disabled" -> Persistence.DISABLED;
            default -> throw new UsageException("invalid value for --kubevirt-ip-persistence. Use Enabled or Disabled");
        };
    }

    private void told(IpamConfig config) {
        var lines = new ArrayList<List<Object>>();
        if (strictAffinity != null) {
            lines.add(List.of("StrictAffinity", config.strictAffinity()));
        }
        if (blocksMax != null) {
            lines.add(List.of("MaxBlocksPerHost", config.maxBlocksPerHost()));
        }
        if (persistence != null) {
            lines.add(List.of("KubeVirtVMAddressPersistence", persistence));
        }
        if (cooldown != null) {
            lines.add(List.of("IPCooldownSeconds", config.cooldownSeconds()));
        }
        lines.forEach(line -> context.out().println("Successfully set %s to: %s".formatted(line.toArray())));
    }
}
