package io.cadastre.verification.simulation.block;

import io.cadastre.address.Family;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockSettings;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/// Takes everything back when all is over. Whatever was left half done, nothing may be left: no handle that
/// counts what no block gives, no affinity without its block, no address without a holder.
record BlockRemoval(BlockWorld cluster, Supplier<Instant> clock) implements Runnable {

    @Override
    public void run() {
        cluster.enact(view -> BlockSettings.configure(view, IpamConfig.DEFAULT));
        for (var handle : cluster.everything().handles()) {
            cluster.enact(view -> BlockEngine.releaseByHandle(view, handle.id(), Attempts.first(clock.get())));
        }
        releaseWithoutHandle();
        for (var affinity : cluster.everything().affinities()) {
            cluster.enact(view -> BlockEngine.releaseHost(
                    view, affinity.owner(), ReleaseCondition.REQUIRED, Attempts.first(clock.get())));
        }
        for (var family : Family.values()) {
            for (var block : cluster.everything().blocks(family)) {
                cluster.enact(view -> BlockEngine.thaw(view, block.cidr(), clock.get()));
                cluster.enact(
                        view -> BlockEngine.releaseBlock(view, block.cidr(), ReleaseCondition.REQUIRED, clock.get()));
            }
        }
        requireNothing(cluster.everything());
    }

    private void releaseWithoutHandle() {
        for (var family : Family.values()) {
            for (var block : cluster.everything().blocks(family)) {
                for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                    if (block.attribute(ordinal).orElse(null) instanceof Held held && !held.keptByWindows()) {
                        if (!held.cleanHandle().isEmpty()) {
                            throw new AssertionError("%s is held by %s, which has given everything back"
                                    .formatted(block.address(ordinal), held.cleanHandle()));
                        }
                        var option = ReleaseOption.of(block.address(ordinal).toString());
                        cluster.enact(view -> BlockEngine.release(view, List.of(option), Attempts.first(clock.get())));
                    }
                }
            }
        }
    }

    private static void requireNothing(BlockView view) {
        var handles = view.handles().stream().map(Handle::id).toList();
        var affinities = view.affinities().stream().map(Affinity::toString).toList();
        if (!handles.isEmpty() || !affinities.isEmpty()) {
            throw new AssertionError(
                    "when all is over, there are handles %s and affinities %s".formatted(handles, affinities));
        }
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                throw new AssertionError("when all is over, there is " + block);
            }
        }
    }
}
