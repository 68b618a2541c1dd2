package io.cadastre.verification.simulation.controller;

import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderTerm;
import io.cadastre.verification.simulation.runtime.Simulation;

/// Lets the loops of a controller write while it leads, as the controller does, and tells the history.
///
/// @param beforeDismissal runs when the controller leads no more
public record ElectedLoops(Simulation stage, ControlLoops loops, String identity, Runnable beforeDismissal)
        implements LeaderElectionLoop.LeaderCallbacks {

    @Override
    public void elected(LeaderTerm term) {
        stage.history().request(identity, "is elected");
        loops.elected(term);
    }

    @Override
    public void dismissed() {
        beforeDismissal.run();
        loops.dismissed();
    }
}
