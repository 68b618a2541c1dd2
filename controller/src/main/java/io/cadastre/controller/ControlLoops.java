package io.cadastre.controller;

import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeaderElectionLoop.LeaderCallbacks;
import io.cadastre.controller.election.LeaderTerm;
import io.cadastre.controller.watch.SharedWatches;
import io.cadastre.datastore.Datastore;
import java.util.List;

/// The control loops of one process. They share their watches all the time and, while the process leads,
/// one leader term and its fence.
public final class ControlLoops implements LeaderCallbacks, AutoCloseable {

    private final Datastore store;
    private final String identity;
    private final List<ControlLoop> loops;
    private final SharedWatches watches;
    private volatile boolean leading;

    private ControlLoops(ControllerContext context, String identity, List<? extends ControlLoop> loops) {
        this.store = context.store();
        this.identity = identity;
        this.loops = List.copyOf(loops);
        this.watches = SharedWatches.begin(
                store,
                context.pause(),
                loops.stream().flatMap(loop -> loop.handlers().stream()).toList(),
                context.reports());
    }

    /// Begins to watch for these loops, and begins them.
    ///
    /// @param identity of this process in the lease
    public static ControlLoops begin(ControllerContext context, String identity, List<? extends ControlLoop> loops) {
        var all = new ControlLoops(context, identity, loops);
        all.loops.forEach(ControlLoop::start);
        return all;
    }

    @Override
    public void elected(LeaderTerm term) {
        leading = true;
        var fenced = new FencedDatastore(store, term::valid, identity, term.othersEndedNanos());
        loops.forEach(loop -> loop.elected(fenced));
    }

    @Override
    public void dismissed() {
        leading = false;
        loops.forEach(ControlLoop::dismissed);
    }

    boolean leading() {
        return leading;
    }

    /// The kinds that are not known at the moment.
    List<String> missing() {
        return watches.missing();
    }

    /// Whether a write of this process that was not answered may yet be carried out.
    public boolean unsettled() {
        return loops.stream().anyMatch(ControlLoop::unsettled);
    }

    /// Waits until what is under way has ended. The loops have been dismissed.
    @Override
    public void close() {
        loops.forEach(ControlLoop::close);
        watches.close();
    }
}
