package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseOption;
import io.cadastre.registry.Request.Law;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/// What a simulated process asks about blocks: the front of a registrar.
interface BlockClient {

    Assignment assign(AssignRequest request);

    /// How the words begin by which the ledger records the request.
    static String words(AssignRequest request) {
        return "assign %s (".formatted(request.requester().handle());
    }

    AddressAssignment assignAddress(AssignAddressRequest request);

    Release release(List<ReleaseOption> options, Instant now);

    HandleRelease releaseByHandle(String handle, Instant now);

    <O> O enact(String words, Law<BlockView, BlockChange, O> law);

    /// Asks for nothing until what the process committed is in the ledger.
    default void settleAccounts(Simulation stage, String process) {
        stage.remind(process, () -> {
            try {
                enact("nothing", view -> new Decision<>("nothing", List.of(), List.of()));
            } catch (UnsettledException | UnrecordedException | DatastoreException _) {
                // Not yet.
            }
        });
    }

    /// Any other verb.
    default <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return enact(words, (view, _) -> law.apply(view));
    }
}
