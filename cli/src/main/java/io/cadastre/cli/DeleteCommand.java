package io.cadastre.cli;

import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.Resources;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

@Command(
        name = "delete",
        description = {
            "Delete a resource: an ippool, an ipreservation, a node, or the ipamconfiguration,"
                    + " after which the default holds.",
            "A pool is disabled first and its blocks are given up. Blocks in which somebody holds"
                    + " an address stay, without a node, until the last one is released.",
            "A spiderippool of which somebody has an address gives nothing more and goes with the"
                    + " last of them; a spiderreservedip goes at once."
        },
        footer = {"Examples:", "  cadastre delete ippool default"})
final class DeleteCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "KIND", description = "What kind of resource.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Which one.")
    private String name = "";

    @Mixin private final CalicoOptions options = new CalicoOptions();

    DeleteCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var parsed = ResourceKind.parse(kind);
        if (parsed == ResourceKind.CLUSTER) {
            throw new UsageException("what is said of the cluster is changed, not deleted");
        }
        if (parsed != ResourceKind.CONFIGURATION
                && parsed.stored().isEmpty()
                && parsed.written().isEmpty()) {
            throw new UsageException(
                    "%s are kept by the allocator and cannot be deleted by hand"
                            .formatted(parsed.plural()));
        }
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new UsageException("'%s' is no name".formatted(name));
        }
        try (var desk = IpamDesk.open(options, surroundings)) {
            var written = parsed.written();
            if (written.isPresent()) {
                var what = "%s/%s".formatted(parsed.singular(), name);
                var done = SpiderDesk.remove(desk, "delete " + what, written.get(), name);
                surroundings.out().println("%s %s".formatted(what, done));
                return ExitCode.DONE;
            }
            switch (remove(desk, parsed)) {
                case Removed.Done _ -> {}
                case Removed.NotThere missing -> throw new RefusedException(missing.sentence());
            }
        }
        surroundings.out().println("%s/%s deleted".formatted(parsed.singular(), name));
        return ExitCode.DONE;
    }

    private Removed remove(IpamDesk desk, ResourceKind parsed) {
        return switch (parsed) {
            case POOL -> PoolRemoval.of(desk, name);
            case RESERVATION -> remove(desk, Resources.Kind.RESERVATION);
            case NODE -> remove(desk, Resources.Kind.NODE);
            case CONFIGURATION -> reset(desk);
            case CLUSTER, BLOCK, AFFINITY, HANDLE, SPIDER_POOL, SPIDER_RESERVED, SPIDER_ENDPOINT ->
                    throw new IllegalStateException("dealt with before: " + parsed);
        };
    }

    private Removed remove(IpamDesk desk, Resources.Kind stored) {
        return desk.resources()
                .enact(
                        new Request<>(
                                "delete %s/%s".formatted(stored, name),
                                view -> Resources.remove(view, stored, name)));
    }

    private Removed reset(IpamDesk desk) {
        if (!name.equals(ConfigurationDocument.NAME)) {
            return new Removed.NotThere("IPAMConfiguration(%s)".formatted(name));
        }
        desk.blocks()
                .enact(
                        new Request<>(
                                "delete ipamconfiguration/" + name,
                                view -> BlockSettings.configure(view, IpamConfig.DEFAULT)));
        return new Removed.Done();
    }
}
