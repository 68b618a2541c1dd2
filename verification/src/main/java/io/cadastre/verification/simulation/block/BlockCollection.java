package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.CollectorSettings;
import io.cadastre.engine.block.collect.LeakTracker;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.SweepPlan;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

/// One life of the collector: it looks from time to time, and deals with what it finds. Once all other
/// processes have finished, no dead pod holds anything.
record BlockCollection(
        Simulation stage, BlockWitness witness, AddressUsers tenants, BlockClient client, Supplier<Instant> clock)
        implements Runnable {

    private static final String NAME = "collect";
    private static final Duration PERIOD = Duration.ofMillis(700);
    private static final Duration BEFORE_ACTING = Duration.ofMillis(400);
    private static final CollectorSettings SETTINGS =
            new CollectorSettings(Duration.ofSeconds(1), CollectorSettings.Store.READY);

    /// After the last pod has died a leak is seen, rests for the grace, and is released; requests that
    /// find no end are asked again.
    private static final int LAST_LOOKS = 12;

    @Override
    public void run() {
        var tracker = LeakTracker.NOTHING_SEEN;
        int looksLeft = LAST_LOOKS;
        boolean quiet = false;
        // Ends: all other processes do, and then the looks are counted.
        while (looksLeft > 0) {
            if (!stage.anyWorkerAtWork()) {
                looksLeft--;
            }
            try {
                var plan = look(tracker);
                tracker = plan.tracker();
                // A pod that comes back in between must not lose anything.
                stage.scheduler().pause(BEFORE_ACTING);
                act(plan);
                quiet = plan.leaks().isEmpty() && tracker.suspicions().isEmpty();
            } catch (UnsettledException | UnrecordedException | DatastoreException unsettled) {
                stage.history().event(NAME, "unsettled");
                quiet = false;
            }
            stage.scheduler().pause(PERIOD);
        }
        client.settleAccounts(stage, NAME);
        if (quiet) {
            witness.requireNothingHeldBy(new TreeSet<>(tenants.dead()));
            witness.requireNoEmptyBlocksOf(stage.switchedOff());
        }
    }

    private SweepPlan look(LeakTracker tracker) {
        var liveOwners = tenants.liveOwners();
        var now = clock.get();
        return client.enact(
                "judge",
                view -> new Decision<>(
                        BlockCollector.plan(
                                view, liveOwners, tracker, SETTINGS, new BlockCollector.Scope.Everything(), now),
                        List.of(),
                        List.of()));
    }

    private void releaseLeaks(SweepPlan plan, LiveOwners recheck, Instant now) {
        var answer = client.enact(
                "release leaks", view -> BlockEngine.releaseLeaks(view, plan.leaks(), recheck, Attempts.first(now)));
        stage.history().event(NAME, "release leaks -> " + answer);
    }

    private void act(SweepPlan plan) {
        var now = clock.get();
        if (!plan.leaks().isEmpty()) {
            stage.history().request(NAME, "release leaks " + plan.leaks());
            tenants.collecting(recheck -> releaseLeaks(plan, recheck, now));
        }
        for (var cidr : plan.coldBlocks()) {
            stage.history().request(NAME, "thaw " + cidr);
            client.enact("thaw " + cidr, view -> BlockEngine.thaw(view, cidr, now));
        }
        for (var cidr : plan.unusedBlocks()) {
            stage.history().request(NAME, "give up unused " + cidr);
            client.enact("give up unused " + cidr, view -> BlockEngine.giveUpUnused(view, cidr, now));
        }
        for (var node : plan.deadNodes()) {
            stage.history().request(NAME, "clean " + node);
            client.enact("clean " + node, view -> BlockEngine.cleanNode(view, node, Attempts.first(now)));
        }
    }
}
