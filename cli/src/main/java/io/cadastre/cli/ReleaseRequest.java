package io.cadastre.cli;

import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockReleases;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseAttempt;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.registry.Request;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Requests to take addresses back. What one decision tried is passed on to the next, so that a
/// lost answer does not take an address from whoever was given it since.
final class ReleaseRequest {

    private ReleaseRequest() {}

    static Request<BlockView, BlockChange, Release> of(
            String words, List<ReleaseOption> options, Instant now) {
        var attempts = new ArrayList<ReleaseAttempt>();
        return new Request<>(
                words,
                view -> {
                    var decision = BlockReleases.release(view, options, attempts, now);
                    attempts.addAll(ReleaseAttempt.in(decision));
                    return decision;
                });
    }

    static Request<BlockView, BlockChange, HandleRelease> ofHandle(
            String words, String handle, Instant now) {
        var attempts = new ArrayList<ReleaseAttempt>();
        return new Request<>(
                words,
                view -> {
                    var decision = BlockReleases.releaseByHandle(view, handle, attempts, now);
                    attempts.addAll(ReleaseAttempt.in(decision));
                    return decision;
                });
    }
}
