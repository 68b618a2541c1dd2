package io.cadastre.cli.resource;

import io.cadastre.address.Prefix;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.Concurrently;
import io.cadastre.cli.session.CalicoSession;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.Removed;
import io.cadastre.wire.calico.resource.Resources;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Deletes a pool: first it gives nothing new, then its blocks are given up, then it is deleted.
///
/// Processes that decided on the pool before it was disabled get a moment to finish. Blocks in use lose
/// their owner, and are deleted with their last address.
final class PoolRemoval {

    /// As long as Calico waits.
    private static final Duration NOTICE = Duration.ofMillis(500);

    private PoolRemoval() {}

    static Removed of(CalicoSession ipam, String name) {
        var words = "delete ippool/" + name;
        boolean enabled = ipam.ask(view -> find(view, name).anyMatch(IpPool::enabled));
        var disabled = ipam.resources().enact(new Request<>(words, view -> Resources.disable(view, name)));
        if (disabled instanceof Removed.NotThere) {
            return disabled;
        }
        if (enabled) {
            ipam.pause(NOTICE);
        }
        for (var cidr : ipam.ask(view -> cidrs(view, name))) {
            releaseBlocks(ipam, words, cidr);
        }
        return ipam.resources().enact(new Request<>(words, view -> Resources.remove(view, CalicoKinds.POOL, name)));
    }

    private static Stream<IpPool> find(BlockView view, String name) {
        return view.pools().stream().filter(pool -> pool.name().equals(name));
    }

    private static List<Prefix> cidrs(BlockView view, String name) {
        return find(view, name).map(IpPool::cidr).toList();
    }

    /// Block by block, since all of them may be too many for one commit; and then whatever was
    /// claimed meanwhile.
    private static void releaseBlocks(CalicoSession ipam, String words, Prefix pool) {
        var blocks = ipam.ask(view -> view.affinities().stream()
                .map(Affinity::cidr)
                .filter(pool::contains)
                .distinct()
                .toList());
        Concurrently.run(blocks, cidr -> release(ipam, words, cidr), (_, release) -> check(release));
        check(release(ipam, words, pool));
    }

    private static AffinityRelease release(CalicoSession ipam, String words, Prefix cidr) {
        return ipam.blocks()
                .enact(new Request<>(words, view -> BlockEngine.releasePool(view, cidr, Attempts.first(ipam.now()))));
    }

    private static void check(AffinityRelease release) {
        switch (release) {
            case AffinityRelease.Done _ -> {}
            case AffinityRelease.Stopped(var _, var refusal) -> throw new CommandRefusedException(refusal.sentence());
        }
    }
}
