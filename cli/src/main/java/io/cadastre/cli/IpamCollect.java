package io.cadastre.cli;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AffinityRelease;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockCollector;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Emptiness;
import io.cadastre.registry.Request;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

@Command(
        name = "collect",
        description = {
            "Free what has cooled down, and give up the blocks in which nobody holds an address.",
            "Prints each block that was given up. Addresses that somebody holds are never touched:"
                    + " whether a pod lives is not known here. A node that needs a block claims one"
                    + " again."
        },
        footer = {"Examples:", "  cadastre ipam collect", "  cadastre ipam collect --keep-one"})
final class IpamCollect implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(
            names = "--keep-one",
            description = "Leave each node its last block, as a cluster's collector does.")
    private boolean keepOne;

    @Mixin private final CalicoOptions options = new CalicoOptions();

    IpamCollect(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (var desk = IpamDesk.open(options, surroundings)) {
            ClusterFacts.requireUnlocked(desk.office().datastore());
            Errands.run(desk.ask(IpamCollect::cooling), cidr -> thaw(desk, cidr), (_, _) -> {});
            Errands.run(
                    desk.ask(IpamCollect::leasedAndEmpty),
                    cidr -> giveUp(desk, cidr),
                    (_, release) -> release.released().forEach(this::tell));
        }
        return ExitCode.DONE;
    }

    private void tell(Prefix cidr) {
        surroundings.out().println("block %s given up".formatted(cidr));
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

    private static int thaw(IpamDesk desk, Prefix cidr) {
        return desk.blocks()
                .enact(
                        new Request<>(
                                "ipam collect " + cidr,
                                view -> BlockCollector.thaw(view, cidr, desk.now())));
    }

    /// The law asks again whether the block is empty, since somebody may have been given an address
    /// of it meanwhile; then it is kept.
    private AffinityRelease giveUp(IpamDesk desk, Prefix cidr) {
        return desk.blocks()
                .enact(
                        new Request<>(
                                "ipam collect " + cidr,
                                view ->
                                        keepOne
                                                ? BlockCollector.giveUpUnused(
                                                        view, cidr, desk.now())
                                                : BlockAffinities.releaseBlock(
                                                        view,
                                                        cidr,
                                                        Emptiness.REQUIRED,
                                                        desk.now())));
    }
}
