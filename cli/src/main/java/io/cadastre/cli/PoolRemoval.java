package io.cadastre.cli;

import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.AffinityRelease;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Pool;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.Resources;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Deletes a pool: first it gives nothing new, then its blocks are given up, then it goes.
///
/// Whoever decided on the pool before it was disabled gets a moment to finish. Blocks in use become
/// nobody's, and go with their last address.
final class PoolRemoval {

    /// As long as Calico waits.
    private static final Duration NOTICE = Duration.ofMillis(500);

    private PoolRemoval() {}

    static Removed of(IpamDesk desk, String name) {
        var words = "delete ippool/" + name;
        boolean enabled = desk.ask(view -> find(view, name).anyMatch(Pool::enabled));
        var disabled =
                desk.resources().enact(new Request<>(words, view -> Resources.disable(view, name)));
        if (disabled instanceof Removed.NotThere) {
            return disabled;
        }
        if (enabled) {
            desk.pause(NOTICE);
        }
        for (var cidr : desk.ask(view -> cidrs(view, name))) {
            releaseBlocks(desk, words, cidr);
        }
        return desk.resources()
                .enact(
                        new Request<>(
                                words, view -> Resources.remove(view, Resources.Kind.POOL, name)));
    }

    private static Stream<Pool> find(BlockView view, String name) {
        return view.pools().stream().filter(pool -> pool.name().equals(name));
    }

    private static List<Prefix> cidrs(BlockView view, String name) {
        return find(view, name).map(Pool::cidr).toList();
    }

    /// Block by block, since all of them may be too many for one commit; and then whatever was
    /// claimed meanwhile.
    private static void releaseBlocks(IpamDesk desk, String words, Prefix pool) {
        var blocks =
                desk.ask(
                        view ->
                                view.affinities().stream()
                                        .map(Affinity::cidr)
                                        .filter(pool::contains)
                                        .distinct()
                                        .toList());
        Errands.run(blocks, cidr -> release(desk, words, cidr), (_, release) -> check(release));
        check(release(desk, words, pool));
    }

    private static AffinityRelease release(IpamDesk desk, String words, Prefix cidr) {
        return desk.blocks()
                .enact(
                        new Request<>(
                                words,
                                view -> BlockAffinities.releasePool(view, cidr, desk.now())));
    }

    private static void check(AffinityRelease release) {
        switch (release) {
            case AffinityRelease.Done _ -> {}
            case AffinityRelease.Stopped(_, var refusal) ->
                    throw new RefusedException(refusal.sentence());
        }
    }
}
