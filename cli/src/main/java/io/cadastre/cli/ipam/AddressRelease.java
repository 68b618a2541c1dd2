package io.cadastre.cli.ipam;

import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.release.BlockReleases;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Request;
import java.time.Instant;
import java.util.List;

/// Requests to take addresses back. Decisions whose commits were not answered are passed on, so that a
/// request does not take an address from a holder that was given it since.
final class AddressRelease {

    private AddressRelease() {}

    static Request<BlockView, BlockChange, Release> of(String words, List<ReleaseOption> options, Instant now) {
        return new Request<>(words, (view, earlier) -> BlockReleases.release(view, options, earlier, now));
    }

    static Request<BlockView, BlockChange, HandleRelease> ofHandle(String words, String handle, Instant now) {
        return new Request<>(words, (view, earlier) -> BlockReleases.releaseByHandle(view, handle, earlier, now));
    }
}
