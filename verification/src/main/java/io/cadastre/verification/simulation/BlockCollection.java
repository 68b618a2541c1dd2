package io.cadastre.verification.simulation;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.BlockCollector;
import io.cadastre.engine.block.CollectorSettings;
import io.cadastre.engine.block.Judgement;
import io.cadastre.engine.block.Population;
import io.cadastre.engine.block.Tracker;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

/// One life of the collector: it looks from time to time, and deals with what it finds. Once everybody
/// else has finished, no dead pod holds anything.
record BlockCollection(
        Stage stage,
        BlockWitness witness,
        Tenants tenants,
        BlockOffice office,
        Supplier<Instant> clock)
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
        var tracker = Tracker.NOTHING_SEEN;
        int looksLeft = LAST_LOOKS;
        boolean quiet = false;
        // Ends: everybody else does, and then the looks are counted.
        while (looksLeft > 0) {
            if (!stage.anybodyAtWork()) {
                looksLeft--;
            }
            try {
                var judgement = look(tracker);
                tracker = judgement.tracker();
                // Whoever comes back in between is not to lose anything.
                stage.scheduler().pause(BEFORE_ACTING);
                act(judgement);
                quiet = judgement.leaks().isEmpty() && tracker.suspicions().isEmpty();
            } catch (UnsettledException | UnrecordedException | DatastoreException unsettled) {
                stage.history().event(NAME, "unsettled");
                quiet = false;
            }
            stage.scheduler().pause(PERIOD);
        }
        office.settleAccounts(() -> stage.owes(NAME));
        if (quiet) {
            witness.requireNothingHeldBy(new TreeSet<>(tenants.dead()));
            witness.requireNoEmptyBlocksOf(stage.switchedOff());
        }
    }

    private Judgement look(Tracker tracker) {
        var population = tenants.population();
        var now = clock.get();
        return office.enact(
                "judge",
                view ->
                        new Decision<>(
                                BlockCollector.judge(
                                        view,
                                        population,
                                        tracker,
                                        SETTINGS,
                                        new BlockCollector.Scope.Everything(),
                                        now),
                                List.of(),
                                List.of()));
    }

    private void releaseLeaks(Judgement judgement, Population recheck, Instant now) {
        var answer =
                office.enact(
                        "release leaks",
                        view -> BlockCollector.releaseLeaks(view, judgement.leaks(), recheck, now));
        stage.history().event(NAME, "release leaks -> " + answer);
    }

    private void act(Judgement judgement) {
        var now = clock.get();
        if (!judgement.leaks().isEmpty()) {
            stage.history().request(NAME, "release leaks " + judgement.leaks());
            tenants.collecting(recheck -> releaseLeaks(judgement, recheck, now));
        }
        for (var cidr : judgement.coldBlocks()) {
            stage.history().request(NAME, "thaw " + cidr);
            office.enact("thaw " + cidr, view -> BlockCollector.thaw(view, cidr, now));
        }
        for (var cidr : judgement.unusedBlocks()) {
            stage.history().request(NAME, "give up unused " + cidr);
            office.enact(
                    "give up unused " + cidr, view -> BlockCollector.giveUpUnused(view, cidr, now));
        }
        for (var node : judgement.deadNodes()) {
            stage.history().request(NAME, "clean " + node);
            office.enact("clean " + node, view -> BlockCollector.cleanNode(view, node, now));
        }
    }
}
