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
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.calico.resource.CalicoKind;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.cilium.CiliumKind;
import io.cadastre.wire.kubernetes.CoreKind;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrKind;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
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
                    + " released; a spiderreservedip, a spidermultusconfig (NAMESPACE/NAME) or a"
                    + " spidercoordinator is deleted at once.",
            "A pod (NAMESPACE/NAME), a namespace or a node.v1 is a document of a store without a cluster.",
            "A ciliumnode and a ciliumpodippool are deleted at once; nodes keep the CIDRs that they have of the pool.",
            "A clustercidr of which nodes have CIDRs gives no more and is deleted when the last of them is" + " gone."
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
        var parsed = KnownKinds.parse(kind);
        if (parsed.equals(CalicoKinds.CLUSTER)) {
            throw new UsageException("clusterinformations cannot be deleted; change it with 'cadastre apply'");
        }
        if (!parsed.isWritten()) {
            throw new UsageException("%s are managed by the allocator and cannot be deleted by hand"
                    .formatted(parsed.traits().plural()));
        }
        if (!isName(parsed)) {
            throw new UsageException("'%s' is not a valid name".formatted(name));
        }
        try (var ipam = CalicoSession.open(options, context)) {
            var what = "%s/%s".formatted(parsed.singular(), name);
            context.out().println("%s %s".formatted(what, delete(ipam, parsed, what)));
        }
        return ExitCode.DONE;
    }

    private boolean isName(ResourceKind parsed) {
        return switch (parsed) {
            case CoreKind core -> core.isName(name);
            case SpiderKind spider -> spider.isName(name);
            default -> !name.isEmpty() && name.indexOf('/') < 0;
        };
    }

    /// What was done, in a word.
    private String delete(CalicoSession ipam, ResourceKind parsed, String what) {
        if (parsed instanceof SpiderKind spider) {
            return SpiderpoolSession.remove(ipam, "delete " + what, spider, name);
        }
        if (parsed instanceof CoreKind core) {
            return CoreSession.remove(ipam, "delete " + what, core, name);
        }
        if (parsed instanceof CiliumKind cilium) {
            return CiliumSession.remove(ipam, "delete " + what, cilium, name);
        }
        if (parsed instanceof ClusterCidrKind clusterCidr) {
            return ClusterCidrSession.remove(ipam, "delete " + what, clusterCidr, name);
        }
        return switch (remove(ipam, (CalicoKind) parsed)) {
            case Removed.Done _ -> "deleted";
            case Removed.NotThere missing -> throw new CommandRefusedException(missing.sentence());
        };
    }

    private Removed remove(CalicoSession ipam, CalicoKind parsed) {
        if (parsed.equals(CalicoKinds.POOL)) {
            return PoolRemoval.of(ipam, name);
        }
        return parsed.equals(CalicoKinds.CONFIGURATION)
                ? reset(ipam)
                : ipam.resources()
                        .enact(new Request<>(
                                "delete %s/%s".formatted(parsed.word(), name),
                                view -> Resources.remove(view, parsed, name)));
    }

    private Removed reset(CalicoSession ipam) {
        if (!name.equals(ConfigurationDocument.NAME)) {
            return new Removed.NotThere(CalicoKinds.CONFIGURATION.named(name));
        }
        ipam.blocks()
                .enact(new Request<>(
                        "delete ipamconfiguration/" + name, view -> BlockSettings.configure(view, IpamConfig.DEFAULT)));
        return new Removed.Done();
    }
}
