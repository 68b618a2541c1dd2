package io.cadastre.cli.ipam;

import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Request;
import java.time.Instant;
import java.util.List;

/// Requests to release addresses. Unanswered attempts are passed on, so that a repeated request does not take an
/// address from a newer holder.
final class AddressRelease {

    private AddressRelease() {}

    static Request<BlockView, BlockChange, Release> of(String words, List<ReleaseOption> options, Instant now) {
        return new Request<>(
                words, (view, earlier) -> BlockEngine.release(view, options, Attempts.after(earlier, now)));
    }

    static Request<BlockView, BlockChange, HandleRelease> ofHandle(String words, String handle, Instant now) {
        return new Request<>(
                words, (view, earlier) -> BlockEngine.releaseByHandle(view, handle, Attempts.after(earlier, now)));
    }
}
