package io.cadastre.verification.simulation;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressAssignment;
import io.cadastre.engine.block.AssignAddressRequest;
import io.cadastre.engine.block.AssignRequest;
import io.cadastre.engine.block.Assignment;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.HandleRelease;
import io.cadastre.engine.block.Release;
import io.cadastre.engine.block.ReleaseOption;
import io.cadastre.registry.Request.Law;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/// What a simulated process asks about blocks: the front of a registrar.
interface BlockOffice {

    Assignment assign(AssignRequest request);

    AddressAssignment assignAddress(AssignAddressRequest request);

    Release release(List<ReleaseOption> options, Instant now);

    HandleRelease releaseByHandle(String handle, Instant now);

    <O> O enact(String words, Law<BlockView, BlockChange, O> law);

    /// Any other verb.
    default <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return enact(words, (view, _) -> law.apply(view));
    }
}
