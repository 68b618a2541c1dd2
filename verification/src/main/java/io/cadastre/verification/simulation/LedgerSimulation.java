package io.cadastre.verification.simulation;

import io.cadastre.registry.Fact;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.runtime.Crash;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/// Processes whose entries are written a moment later into a ledger that fails, some of which are killed.
/// One seed is one history.
///
/// Three things must hold. No entry is in the ledger twice. A process that closes has all its taken entries
/// in the ledger, and a process that is killed loses at most the last entries that were taken. And nothing
/// more is taken while the ledger cannot be written.
public final class LedgerSimulation {

    public static final String DIALECT = "ledger";

    private static final int ENTRIES_MAX = 40;
    private static final long PAUSE_MILLISECONDS_MAX = 60;

    /// An entry that was taken is written, or the next one is not taken, after this long, where writing takes
    /// no time.
    private static final Duration LATE_MAX = LateRecorder.DELAY.multipliedBy(4);

    private final Simulation stage;
    private final List<Keeping> processes = new ArrayList<>();

    private LedgerSimulation(long seed) {
        var dice = new SplittableRandom(seed);
        this.stage = new Simulation(
                seed, DIALECT, dice, FaultRates.drawn(dice.split()).withoutCrashes());
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return new LedgerSimulation(seed).run();
    }

    private Report run() {
        var dice = stage.splitDice();
        int count = dice.nextInt(1, 4);
        for (int number = 1; number <= count; number++) {
            var keeping = new Keeping("proc-" + number, stage.splitDice());
            processes.add(keeping);
            stage.startWorker("proc-" + number, keeping);
        }
        return stage.run(
                () -> processes.forEach(Keeping::check), () -> stage.recorded().size());
    }

    /// An entry that the recorder has taken.
    private record Taken(String request, Instant at) {}

    /// One process with several threads and one recorder.
    private final class Keeping implements Runnable {

        private final String name;
        private final SplittableRandom choices;
        private final ProcessLife life;
        private final List<Taken> taken = new ArrayList<>();
        private final List<String> complaints = new ArrayList<>();

        Keeping(String name, SplittableRandom choices) {
            this.name = name;
            this.choices = choices;
            this.life = new ProcessLife(name);
        }

        @Override
        public void run() {
            var journal = stage.slowJournal(life);
            var recorder = new LateRecorder(
                    new Ledger(journal),
                    complaint -> {
                        complaints.add(complaint);
                        stage.history().event(name, complaint);
                    },
                    stage.scheduler().pausing(),
                    work -> Thread.ofVirtual().unstarted(() -> untilKilled(work)));
            int threads = choices.nextInt(1, 4);
            var ends = new ArrayList<CompletableFuture<Boolean>>();
            for (int number = 1; number <= threads; number++) {
                var end = new CompletableFuture<Boolean>();
                ends.add(end);
                var appending = new Appending("%s.%d".formatted(name, number), choices.split());
                stage.scheduler().start(name, () -> {
                    untilKilled(() -> appending.run(recorder));
                    end.complete(true);
                });
            }
            if (choices.nextInt(3) == 0) {
                stage.rest(choices, 20 * PAUSE_MILLISECONDS_MAX);
                stage.history().event(name, "is killed");
                life.end();
            }
            ends.forEach(CompletableFuture::join);
            complaints.clear();
            untilKilled(recorder::close);
        }

        private void untilKilled(Runnable work) {
            try {
                work.run();
            } catch (Crash _) {
                // This process is over.
            }
        }

        /// What the ledger has of what was taken is all of it, or all but the last.
        void check() {
            var places = new HashMap<String, Long>();
            for (var recorded : stage.recorded()) {
                var before = places.put(recorded.entry().request(), recorded.number());
                if (before != null) {
                    throw new AssertionError("'%s' is in the ledger twice, as %d and %d"
                            .formatted(recorded.entry().request(), before, recorded.number()));
                }
            }
            boolean mayMiss = !life.alive() || !complaints.isEmpty();
            String missing = "";
            for (var entry : taken) {
                if (!places.containsKey(entry.request())) {
                    missing = entry.request();
                } else if (!missing.isEmpty()) {
                    throw new AssertionError("'%s' was taken and is not in the ledger, and '%s', taken later, is"
                            .formatted(missing, entry.request()));
                }
            }
            if (!missing.isEmpty() && !mayMiss) {
                throw new AssertionError(
                        "'%s' was taken, and is not in the ledger after its process has closed it".formatted(missing));
            }
        }

        /// As a registrar does it: what was refused is brought again before anything else.
        private final class Appending {

            private final String actor;
            private final SplittableRandom dice;
            private List<Ledger.Entry> unrecorded = List.of();

            Appending(String actor, SplittableRandom dice) {
                this.actor = actor;
                this.dice = dice;
            }

            void run(LateRecorder recorder) {
                int count = dice.nextInt(1, ENTRIES_MAX);
                for (int number = 1; number <= count; number++) {
                    stage.rest(dice, PAUSE_MILLISECONDS_MAX);
                    life.dieIfDead();
                    if (unrecorded.isEmpty()) {
                        append(recorder, entries(number));
                    } else {
                        appendAgain(recorder);
                    }
                }
            }

            private List<Ledger.Entry> entries(int number) {
                var now = stage.scheduler().instant();
                var entries = new ArrayList<Ledger.Entry>();
                for (int part = 1; part <= dice.nextInt(1, 4); part++) {
                    entries.add(new Ledger.Entry(
                            now,
                            "%s asks %d.%d".formatted(actor, number, part),
                            Fact.text("done"),
                            1,
                            1,
                            List.of(),
                            List.of(),
                            List.of()));
                }
                return entries;
            }

            private void append(LateRecorder recorder, List<Ledger.Entry> entries) {
                stage.history().request(actor, "appends " + entries.size());
                try {
                    recorder.append(entries);
                    take(entries);
                } catch (RuntimeException refused) {
                    stage.history().event(actor, "refused: " + refused.getMessage());
                    unrecorded = entries;
                }
            }

            private void appendAgain(LateRecorder recorder) {
                stage.history().request(actor, "appends what was refused");
                try {
                    recorder.appendUnlessThere(unrecorded);
                    take(unrecorded);
                    unrecorded = List.of();
                } catch (RuntimeException refused) {
                    stage.history().event(actor, "refused again: " + refused.getMessage());
                }
            }

            private void take(List<Ledger.Entry> entries) {
                life.dieIfDead();
                var now = stage.scheduler().instant();
                if (!stage.network().faults().has(Fault.DELAY)) {
                    requireWritten(now.minus(LATE_MAX));
                }
                entries.forEach(entry -> taken.add(new Taken(entry.request(), now)));
            }

            /// A process whose next entry is taken has written its entries of a while ago.
            private void requireWritten(Instant until) {
                var last = taken.stream()
                        .filter(entry -> entry.at().isBefore(until))
                        .toList();
                if (!last.isEmpty()) {
                    var oldest = last.getLast().request();
                    if (stage.recorded().stream()
                            .noneMatch(it -> it.entry().request().equals(oldest))) {
                        throw new AssertionError(
                                "'%s' was taken more than %s ago, is not in the ledger, and others are taken"
                                        .formatted(oldest, LATE_MAX));
                    }
                }
            }
        }
    }
}
