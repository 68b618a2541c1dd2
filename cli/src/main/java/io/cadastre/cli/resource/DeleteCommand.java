package io.cadastre.cli.resource;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.Resources;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = {
            "Delete a resource: an ippool, an ipreservation, a node, or the ipamconfiguration, which"
                    + " restores the defaults.",
            "Deleting a pool disables it and releases its blocks. A block with addresses in use"
                    + " stays, without a node, until its last address is released.",
            "A spiderippool with addresses in use assigns no more and is deleted when the last one is"
                    + " released; a spiderreservedip is deleted at once."
        },
        footer = {"Examples:", "  cadastre delete ippool default"})
public final class DeleteCommand implements Callable<Integer> {

    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "KIND", description = "Kind of resource.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the resource.")
    private String name = "";

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    public DeleteCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var parsed = ResourceKind.parse(kind);
        if (parsed == ResourceKind.CLUSTER) {
            throw new UsageException("clusterinformations cannot be deleted; change it with 'cadastre apply'");
        }
        if (parsed != ResourceKind.CONFIGURATION
                && parsed.stored().isEmpty()
                && parsed.written().isEmpty()) {
            throw new UsageException(
                    "%s are managed by the allocator and cannot be deleted by hand".formatted(parsed.plural()));
        }
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new UsageException("'%s' is not a valid name".formatted(name));
        }
        try (var ipam = CalicoSession.open(options, context)) {
            var written = parsed.written();
            if (written.isPresent()) {
                var what = "%s/%s".formatted(parsed.singular(), name);
                var done = SpiderpoolSession.remove(ipam, "delete " + what, written.get(), name);
                context.out().println("%s %s".formatted(what, done));
                return ExitCode.DONE;
            }
            switch (remove(ipam, parsed)) {
                case Removed.Done _ -> {}
                case Removed.NotThere missing -> throw new CommandRefusedException(missing.sentence());
            }
        }
        context.out().println("%s/%s deleted".formatted(parsed.singular(), name));
        return ExitCode.DONE;
    }

    private Removed remove(CalicoSession ipam, ResourceKind parsed) {
        return switch (parsed) {
            case POOL -> PoolRemoval.of(ipam, name);
            case RESERVATION -> remove(ipam, Resources.Kind.RESERVATION);
            case NODE -> remove(ipam, Resources.Kind.NODE);
            case CONFIGURATION -> reset(ipam);
            case CLUSTER, BLOCK, AFFINITY, HANDLE, SPIDER_POOL, SPIDER_RESERVED, SPIDER_ENDPOINT ->
                throw new IllegalStateException("dealt with before: " + parsed);
        };
    }

    private Removed remove(CalicoSession ipam, Resources.Kind stored) {
        return ipam.resources()
                .enact(new Request<>(
                        "delete %s/%s".formatted(stored, name), view -> Resources.remove(view, stored, name)));
    }

    private Removed reset(CalicoSession ipam) {
        if (!name.equals(ConfigurationDocument.NAME)) {
            return new Removed.NotThere("IPAMConfiguration(%s)".formatted(name));
        }
        ipam.blocks()
                .enact(new Request<>(
                        "delete ipamconfiguration/" + name, view -> BlockSettings.configure(view, IpamConfig.DEFAULT)));
        return new Removed.Done();
    }
}
