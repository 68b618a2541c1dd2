package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Holding;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What every simulation has, whatever it simulates: one store behind a network with faults, a ledger, a
/// clock, and processes that crash and are restarted.
public final class Simulation {

    private static final int STEPS_MAX = 400_000;
    private static final long RESTART_MILLISECONDS_MAX = 2_000;

    /// A process is restarted this often; then it stays dead.
    static final int LIVES_MAX = 20;

    private static final int REMINDERS_MAX = 20;

    /// How often a thread that waits for a condition looks.
    public static final Duration LOOK = Duration.ofSeconds(1);

    private final long seed;
    private final String dialect;
    private final SplittableRandom dice;
    private final SeededScheduler scheduler;
    private final EventLog history;
    private final Datastore store = new MemoryDatastore();
    private final Journal journal = new MemoryJournal();
    private final Ledger ledger = new Ledger(journal);
    private final DelayedRequests latePost = new DelayedRequests();
    private final Network network;
    private final Map<String, ProcessLife> lives = new TreeMap<>();
    private final SortedSet<String> switchedOff = new TreeSet<>();
    private Runnable afterCommit = () -> {};
    private @Nullable LedgerWitness ledgerWitness;
    private int workersAtWork;
    private int usersAtWork;

    /// Whether a process has begun again, without a crash, while it owed the ledger an entry.
    private boolean endedOwing;

    public Simulation(long seed, String dialect, SplittableRandom dice, FaultRates faults) {
        this.seed = seed;
        this.dialect = dialect;
        this.dice = dice;
        this.scheduler = new SeededScheduler(dice.split());
        this.history = new EventLog(scheduler);
        this.network = new Network(
                store,
                scheduler,
                dice.split(),
                faults,
                history,
                latePost,
                new WatchSignal(scheduler),
                () -> afterCommit.run(),
                new AtomicBoolean());
    }

    /// From now on the check runs after each commit that had an effect, and the ledger is compared with the
    /// store.
    ///
    /// @param map the holdings in the store now
    public void observe(Runnable look, Supplier<List<Holding>> map) {
        var comparing = new LedgerWitness(ledger, map);
        ledgerWitness = comparing;
        observe(() -> {
            look.run();
            comparing.look();
        });
    }

    /// From now on the check runs after each commit that had an effect. The ledger is not compared.
    public void observe(Runnable look) {
        afterCommit = () -> {
            try {
                look.run();
            } catch (AssertionError wrong) {
                scheduler.fail(wrong);
                throw wrong;
            }
        };
    }

    /// Ends the simulation, also if the code that calls this swallows the error.
    ///
    /// @throws AssertionError always
    public void fail(String sentence) {
        var wrong = new AssertionError(sentence);
        scheduler.fail(wrong);
        throw wrong;
    }

    private LedgerWitness ledgerWitness() {
        if (ledgerWitness == null) {
            throw new IllegalStateException("no check was set");
        }
        return ledgerWitness;
    }

    /// What a process has in this life, besides its store.
    public ProcessContext context(ProcessLife life) {
        var witness = ledgerWitness();
        return new ProcessContext(
                life,
                new RemoteJournal(network, life, journal, witness::appended, false),
                witness,
                scheduler,
                dice.split());
    }

    /// A journal that takes its time, where the ledger is not compared with the store.
    public Journal slowJournal(ProcessLife life) {
        return new RemoteJournal(network, life, journal, _ -> {}, true);
    }

    /// Whether a process has committed what it could not write into the ledger yet.
    public boolean owes(String name) {
        var life = lives.get(name);
        return life != null && life.owes();
    }

    private boolean anyProcessOwes() {
        return endedOwing || lives.values().stream().anyMatch(ProcessLife::owes);
    }

    /// What may be missing in the ledger when all is over depends on the fault rates.
    private void compareLedger() {
        if (ledgerWitness == null) {
            return;
        }
        ledgerWitness.requireSound();
        var faults = network.faults();
        if (faults.kills() || !switchedOff.isEmpty() || anyProcessOwes()) {
            return;
        }
        if (!faults.losesAnswers()) {
            ledgerWitness().requireComplete();
        } else if (!faults.has(Fault.ANSWER_LOST) && !faults.has(Fault.REQUEST_LATE)) {
            ledgerWitness().requireNothingMissing();
        }
    }

    public SplittableRandom splitDice() {
        return dice.split();
    }

    public SeededScheduler scheduler() {
        return scheduler;
    }

    public EventLog history() {
        return history;
    }

    public Datastore store() {
        return store;
    }

    public Ledger ledger() {
        return ledger;
    }

    /// All that the ledger has.
    public List<Ledger.Recorded> recorded() {
        var all = new ArrayList<Ledger.Recorded>();
        var page = ledger.read(1, Journal.PAGE_RECORDS_MAX);
        // Ends: each page begins after the last entry of the one before.
        while (!page.isEmpty()) {
            all.addAll(page);
            page = ledger.read(page.getLast().number() + 1, Journal.PAGE_RECORDS_MAX);
        }
        return all;
    }

    public DelayedRequests latePost() {
        return latePost;
    }

    public Network network() {
        return network;
    }

    public boolean anyWorkerAtWork() {
        return workersAtWork > 0;
    }

    public boolean anyUserAtWork() {
        return usersAtWork > 0;
    }

    /// Waits for a while that is drawn.
    public void rest(SplittableRandom choices, long millisecondsMax) {
        scheduler.pause(Duration.ofMillis(choices.nextLong(millisecondsMax)));
    }

    /// Waits until the condition is met, at most until the limit.
    public void await(BooleanSupplier condition, Duration limit) {
        var end = scheduler.instant().plus(limit);
        while (!condition.getAsBoolean() && scheduler.instant().isBefore(end)) {
            scheduler.pause(LOOK);
        }
    }

    /// Asks something, and writes the reply into the history.
    public <A> Reply<A> ask(String actor, String words, Supplier<A> asking) {
        try {
            var answer = asking.get();
            history.event(actor, words + " -> " + answer);
            return new Reply.Answered<>(answer);
        } catch (UnsettledException unsettled) {
            history.event(actor, words + " -> unsettled");
            return new Reply.Unsettled<>(unsettled.perhapsDone());
        } catch (UnrecordedException done) {
            history.event(actor, words + " -> unrecorded");
            return new Reply.Unrecorded<>();
        } catch (DatastoreException failed) {
            history.event(actor, words + " -> failed");
            return new Reply.Failed<>();
        }
    }

    /// Asks, and asks again while the ledger lacks the entry: asking twice is asking once.
    public void askUntilRecorded(String process, Runnable asking) {
        asking.run();
        remind(process, asking);
    }

    /// Asks while the process owes the ledger an entry.
    public void remind(String process, Runnable asking) {
        for (int time = 1; time <= REMINDERS_MAX && owes(process); time++) {
            asking.run();
        }
    }

    /// The scripts of the threads of a process.
    ///
    /// @param requests what the requests of a thread are
    public <W> List<ThreadScript<W>> scripts(
            String process, ProcessLoad load, Function<SimulatedThread, ThreadRequests<W>> requests) {
        var scripts = new ArrayList<ThreadScript<W>>();
        for (int number = 1; number <= load.threads(); number++) {
            var thread = new SimulatedThread(process, "%s.%d".formatted(process, number), dice.split());
            scripts.add(new RequestScript<>(thread.name(), load.requestsEach(), requests.apply(thread)));
        }
        return scripts;
    }

    /// A process with several threads. When it crashes it is restarted and goes on with what it has
    /// left to ask.
    ///
    /// @param opening what a process does when it starts
    public <W> void startProcess(
            String name, List<? extends ThreadScript<W>> scripts, Function<ProcessLife, W> opening) {
        startProcess(name, scripts, opening, () -> {});
    }

    /// A process with several threads that leaves something open.
    ///
    /// @param opening what a process does when it starts
    /// @param closing what is done when none of its threads is left
    public <W> void startProcess(
            String name, List<? extends ThreadScript<W>> scripts, Function<ProcessLife, W> opening, Runnable closing) {
        var restartDice = dice.split();
        workersAtWork++;
        scheduler.start(name, () -> {
            for (int number = 1; number <= LIVES_MAX && !isOff(name); number++) {
                var life = new ProcessLife(name);
                lives.put(name, life);
                liveOnce(opening.apply(life), scripts);
                closing.run();
                if (scripts.stream().allMatch(ThreadScript::finished) || isOff(name)) {
                    break;
                }
                history.event(name, "is restarted");
                rest(restartDice, RESTART_MILLISECONDS_MAX);
            }
            workersAtWork--;
        });
    }

    /// The machine of a process is gone and does not come back.
    public void switchOff(String name) {
        switchedOff.add(name);
        history.event(name, "is switched off");
        var life = lives.get(name);
        if (life != null) {
            life.end();
        }
    }

    public boolean isOff(String name) {
        return switchedOff.contains(name);
    }

    public SortedSet<String> switchedOff() {
        return Collections.unmodifiableSortedSet(switchedOff);
    }

    /// The revision of the oldest of what a process knows by watching.
    public OptionalLong watchedUpTo(String name) {
        var life = lives.get(name);
        return life == null ? OptionalLong.empty() : life.watchedUpTo();
    }

    private <W> void liveOnce(W world, List<? extends ThreadScript<W>> scripts) {
        var ends = new ArrayList<CompletableFuture<Boolean>>();
        for (var script : scripts) {
            var end = new CompletableFuture<Boolean>();
            ends.add(end);
            scheduler.start(script.name(), () -> {
                try {
                    script.perform(world);
                } catch (Crash crash) {
                    history.event(script.name(), "dies");
                } finally {
                    end.complete(true);
                }
            });
        }
        ends.forEach(CompletableFuture::join);
    }

    /// A thread that belongs to no process and never crashes.
    public void startWorker(String name, Runnable work) {
        workersAtWork++;
        scheduler.start(name, () -> {
            work.run();
            workersAtWork--;
        });
    }

    /// A worker that gives the simulated processes something to do, as a user of the cluster.
    public void startUser(String name, Runnable script) {
        usersAtWork++;
        startWorker(name, () -> {
            script.run();
            usersAtWork--;
        });
    }

    /// A worker for the end of the simulation. It waits until the cluster is no longer busy and stops the faults first.
    ///
    /// @param busy whether anything is left to do; this ends
    public void startSupervisor(BooleanSupplier busy, Runnable work) {
        startWorker("supervisor", () -> {
            while (busy.getAsBoolean()) {
                scheduler.pause(LOOK);
            }
            network.calm().set(true);
            work.run();
        });
    }

    /// A process whose end no other process waits for. It begins again when it crashes.
    ///
    /// @param work what it does in one life
    public void startController(String name, Function<ProcessLife, Runnable> work) {
        scheduler.start(name, () -> {
            for (int number = 1; number <= LIVES_MAX; number++) {
                var life = new ProcessLife(name);
                lives.put(name, life);
                try {
                    work.apply(life).run();
                    return;
                } catch (Crash crash) {
                    history.event(name, "is restarted");
                } catch (DatastoreException | UnrecordedException unreachable) {
                    history.event(name, "begins again");
                    endedOwing |= life.owes();
                }
            }
        });
    }

    /// Runs until every process has ended.
    ///
    /// @param states how many states the store had
    /// @throws SimulationFailure if anything was not as it must be
    public Report run(IntSupplier states) {
        return run(() -> {}, states);
    }

    /// Runs until every process has ended, and makes a last check.
    ///
    /// @param states how many states the store had
    /// @throws SimulationFailure if anything was not as it must be
    public Report run(Runnable atTheEnd, IntSupplier states) {
        try {
            scheduler.run(STEPS_MAX);
            compareLedger();
            atTheEnd.run();
        } catch (AssertionError failure) {
            throw new SimulationFailure(seed, dialect, failure, history.lines(), ledger.read(1, 1000));
        }
        return new Report(
                seed, history.lines(), history.requests(), history.events(), history.faults(), states.getAsInt());
    }
}
