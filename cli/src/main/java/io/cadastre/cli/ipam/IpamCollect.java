package io.cadastre.cli.ipam;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.Concurrently;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.CalicoOptions;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.cli.session.ClusterFacts;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.registry.Request;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "collect",
        description = {
            "Free addresses whose cooldown has ended, and release blocks without addresses in use.",
            "Prints each released block. Addresses in use are never released, since this command does"
                    + " not know which pods exist. A node that needs a block claims one again."
        },
        footer = {"Examples:", "  cadastre ipam collect", "  cadastre ipam collect --keep-one"})
final class IpamCollect implements Callable<Integer> {

    private final CommandContext context;

    @Option(names = "--keep-one", description = "Leave each node its last block, as the controller does.")
    private boolean keepOne;

    @Mixin
    private final CalicoOptions options = new CalicoOptions();

    IpamCollect(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        try (var ipam = CalicoSession.open(options, context)) {
            ClusterFacts.requireUnlocked(ipam.session().datastore());
            Concurrently.run(ipam.ask(IpamCollect::cooling), cidr -> thaw(ipam, cidr), (_, _) -> {});
            Concurrently.run(
                    ipam.ask(IpamCollect::leasedAndEmpty),
                    cidr -> giveUp(ipam, cidr),
                    (_, release) -> release.released().forEach(this::tell));
        }
        return ExitCode.DONE;
    }

    private void tell(Prefix cidr) {
        context.out().println("block %s released".formatted(cidr));
    }

    private static List<Prefix> cooling(BlockView view) {
        return blocks(view).stream()
                .filter(block -> block.coolingSince().isPresent())
                .map(Block::cidr)
                .toList();
    }

    private static List<Prefix> leasedAndEmpty(BlockView view) {
        return blocks(view).stream()
                .filter(block -> !block.damaged() && block.owner().isPresent() && block.empty())
                .map(Block::cidr)
                .toList();
    }

    private static List<Block> blocks(BlockView view) {
        return Arrays.stream(Family.values())
                .flatMap(family -> view.blocks(family).stream())
                .toList();
    }

    private static int thaw(CalicoSession ipam, Prefix cidr) {
        return ipam.blocks()
                .enact(new Request<>("ipam collect " + cidr, view -> BlockEngine.thaw(view, cidr, ipam.now())));
    }

    /// The rules check again whether the block is empty, since one of its addresses may have been given
    /// meanwhile; then it is kept.
    private AffinityRelease giveUp(CalicoSession ipam, Prefix cidr) {
        return ipam.blocks()
                .enact(new Request<>(
                        "ipam collect " + cidr,
                        view -> keepOne
                                ? BlockEngine.giveUpUnused(view, cidr, ipam.now())
                                : BlockEngine.releaseBlock(view, cidr, ReleaseCondition.REQUIRED, ipam.now())));
    }
}
