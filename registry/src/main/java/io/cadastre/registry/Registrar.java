package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// Opens the book, asks the engine, saves, records. The only loop that writes.
///
/// Requests that arrive while a commit is under way are combined: they are decided one after another,
/// each on the view that the ones before it leave, and committed as one list. The thread of the oldest
/// waiting request does this for all of them; there is no thread of the registrar's own. Combining
/// changes how many commits there are and never what is decided, since the engine sees the same views
/// as if the requests had come one by one.
///
/// After a conflict or a lost answer the book is read again and every request of the batch is decided
/// afresh. That is safe because an engine that finds a request served answers the same and changes
/// nothing.
///
/// No request fails because of another. A request whose engine fails, fails alone; and a batch whose
/// attempts keep failing is halved again and again, so that in the end a request that cannot be settled
/// is tried, and given up, alone.
///
/// A request that needs more writes than one commit takes is saved part by part, each at a seam of its
/// decision, and the rest is decided anew on what was saved. Every part is in the ledger as soon as it
/// is saved. If something fails after that, the request comes to what was saved.
///
/// Rivals for the same documents conflict again unless they pause. The pause before an attempt is
/// random up to a bound that every conflict doubles and every success halves, and it outlasts the
/// request: a winner that went on without a pause would win again and again, and the rivals that wait
/// longer after each loss would starve. So all rivals come to about the same bound, and about every
/// other attempt succeeds, however many there are. Where a page says that they will not conflict again
/// there is no pause.
public final class Registrar<V, C extends Change> {

    /// The least bound of a pause that is made at all.
    private static final Duration CROWDING_MIN = Duration.ofMillis(1);

    /// After every this many attempts the younger half of a batch goes back to the queue.
    private static final int ATTEMPTS_TOGETHER_MAX = 5;

    /// An engine is asked this often in one attempt, each time on a page that has read more.
    private static final int READINGS_MAX = 10_000;

    /// How often a look ahead at what a request will need makes an assumption.
    private static final int ASSUMPTIONS_MAX = 10;

    private final Book<V, C> book;
    private final Recorder ledger;
    private final Limits limits;
    private final InstantSource clock;
    private final RandomGenerator dice;
    private final Pause pause;

    /// Guards `waiting` and `led`, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    /// Waiting requests that are not in a batch yet, oldest first.
    private final ArrayDeque<PendingRequest<V, C, ?>> waiting = new ArrayDeque<>();

    /// Whether some thread is settling a batch.
    private boolean led;

    /// Entries of commits that the ledger did not take. Only the thread that leads touches it. While
    /// there are any nothing is committed, so there are never more than one batch.
    private List<Ledger.Entry> unrecorded = List.of();

    /// The bound of the pause before an attempt; zero if there are no rivals. Only the thread that leads
    /// touches it.
    private long crowdingNanos;

    public Registrar(
            Book<V, C> book, Recorder ledger, Limits limits, InstantSource clock, RandomGenerator dice, Pause pause) {
        this.book = book;
        this.ledger = ledger;
        this.limits = limits;
        this.clock = clock;
        this.dice = dice;
        this.pause = pause;
    }

    /// How much a registrar takes on.
    ///
    /// @param attemptsMax how often a request is decided before it is given back unsettled
    /// @param combineMax how many requests become one commit
    /// @param waitingMax how many requests may wait for their turn
    /// @param backoffMax the longest pause before an attempt
    public record Limits(int attemptsMax, int combineMax, int waitingMax, Duration backoffMax) {

        public static final Limits DEFAULT = new Limits(50, 64, 10_000, Duration.ofMillis(200));

        public Limits {
            if (attemptsMax < 1 || combineMax < 1 || waitingMax < 1) {
                throw new IllegalArgumentException("a registrar's limits are at least one");
            }
            if (backoffMax.isNegative()) {
                throw new IllegalArgumentException("a pause is not negative: " + backoffMax);
            }
        }
    }

    /// Decides, saves and records, and gives the outcome once it is durable.
    ///
    /// @throws UnsettledException if every attempt met a conflict or a lost answer, or too many
    ///     requests wait
    /// @throws UnrecordedException if it was saved and the ledger could not be written
    public <O> O enact(Request<V, C, O> request) {
        var pending = new PendingRequest<V, C, O>(request);
        if (admit(pending) || pending.awaitTurn()) {
            try {
                settle(nextBatch());
            } finally {
                handOver();
            }
        }
        return pending.outcome();
    }

    /// The decision as it would be saved now: conflicts that a save would have are found, and decided
    /// afresh. Nothing is written.
    ///
    /// @throws UnsettledException if every attempt would have a conflict
    public <O> Decision<C, O> explain(Request<V, C, O> request) {
        var pending = new PendingRequest<V, C, O>(request);
        var page = book.open();
        for (int attempt = 1; attempt <= limits.attemptsMax(); attempt++) {
            var again = decide(pending, List.of(), page, Cut.ALLOWED).rehearse();
            if (again.isEmpty()) {
                return pending.decision();
            }
            page = again.get();
        }
        throw new UnsettledException("%s: %d attempts did not find what it would come to; others write all the time"
                .formatted(pending.words(), limits.attemptsMax()));
    }

    /// Whether a decision that does not fit into a page may be noted in part.
    private enum Cut {
        ALLOWED,
        FORBIDDEN
    }

    /// Asks the engine, on a page that reads more whenever something is missing.
    ///
    /// @param later those that are decided after it. What they need is read with it, so that a batch
    ///     takes no more round trips than one of its requests.
    private Page<V, C> decide(
            PendingRequest<V, C, ?> pending, List<PendingRequest<V, C, ?>> later, Page<V, C> open, Cut cut) {
        var page = open;
        for (int reading = 1; reading <= READINGS_MAX; reading++) {
            try {
                return decided(pending, page, cut);
            } catch (NotReadException notRead) {
                var assumed = page.assuming(notRead.allMissing());
                page = assumed.isPresent() ? assumed.get() : read(page, notRead.allMissing(), later);
            }
        }
        throw new IllegalStateException(
                "%s: after %d readings the engine still lacks something".formatted(pending.words(), READINGS_MAX));
    }

    private Page<V, C> decided(PendingRequest<V, C, ?> pending, Page<V, C> page, Cut cut) {
        pending.decide(page, book);
        var noted = noted(pending, page, cut);
        if (pending.refuses()) {
            page.checkRefusal();
        }
        return noted;
    }

    private Page<V, C> read(Page<V, C> page, List<Missing> allMissing, List<PendingRequest<V, C, ?>> later) {
        var soon = new LinkedHashSet<Missing>();
        for (var pending : later) {
            soon.addAll(allMissing(pending, page));
        }
        allMissing.forEach(soon::remove);
        try {
            return page.reading(allMissing, List.copyOf(soon));
        } catch (RuntimeException failure) {
            if (soon.isEmpty() || !blamesContent(failure)) {
                throw failure;
            }
            // It may be for the sake of another.
            return page.reading(allMissing, List.of());
        }
    }

    /// What would have to be read next if this request were decided on the page. Whatever else keeps it from
    /// being decided is found when it is its turn.
    private List<Missing> allMissing(PendingRequest<V, C, ?> pending, Page<V, C> open) {
        var page = open;
        for (int assumption = 0; assumption <= ASSUMPTIONS_MAX; assumption++) {
            try {
                decided(pending, page, Cut.FORBIDDEN);
                return List.of();
            } catch (NotReadException notRead) {
                var assumed = page.assuming(notRead.allMissing());
                if (assumed.isEmpty()) {
                    return notRead.allMissing();
                }
                page = assumed.get();
            } catch (RuntimeException _) {
                return List.of();
            }
        }
        return List.of();
    }

    private Page<V, C> noted(PendingRequest<V, C, ?> pending, Page<V, C> page, Cut cut) {
        try {
            return page.with(pending.changes());
        } catch (PageFullException full) {
            if (cut == Cut.FORBIDDEN || !pending.cut(full.fitting())) {
                throw full;
            }
            return page.with(pending.changes());
        }
    }

    /// How many requests wait for their turn now.
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /// Puts the request in line and returns whether its thread must lead.
    private boolean admit(PendingRequest<V, C, ?> pending) {
        lock.lock();
        try {
            if (waiting.size() >= limits.waitingMax()) {
                throw new UnsettledException("%s: %d requests are waiting already, which is the most"
                        .formatted(pending.words(), limits.waitingMax()));
            }
            waiting.add(pending);
            boolean lead = !led;
            led = true;
            return lead;
        } finally {
            lock.unlock();
        }
    }

    private List<PendingRequest<V, C, ?>> nextBatch() {
        lock.lock();
        try {
            var batch = new ArrayList<PendingRequest<V, C, ?>>();
            while (batch.size() < limits.combineMax() && !waiting.isEmpty()) {
                batch.add(waiting.removeFirst());
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// Requests that did not fit into the commit are the oldest again.
    private void putBack(List<PendingRequest<V, C, ?>> rest) {
        lock.lock();
        try {
            for (var pending : rest.reversed()) {
                waiting.addFirst(pending);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The younger half is put back.
    private List<PendingRequest<V, C, ?>> olderHalf(List<PendingRequest<V, C, ?>> batch) {
        int count = (batch.size() + 1) / 2;
        putBack(batch.subList(count, batch.size()));
        return batch.subList(0, count);
    }

    private void handOver() {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                led = false;
            } else {
                waiting.getFirst().lead();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Every request of the batch ends in an outcome or a failure, or is put back.
    private void settle(List<PendingRequest<V, C, ?>> batch) {
        var open = batch;
        boolean interrupted = false;
        try {
            recordLeftOver();
            int attempt = 0;
            int alone = 0;
            // Ends: a batch is halved until one request is left of it.
            while (open.size() > 1 || mayTryAgain(open, alone)) {
                attempt++;
                alone += open.size() == 1 ? 1 : 0;
                interrupted |= stepAside();
                var proposal = propose(open);
                open = proposal.waiting();
                var half = new ArrayList<PartialCommit>();
                var recording = recording(open, attempt);
                Commit commit;
                try {
                    commit = save(proposal.page(), half, recording);
                } catch (RuntimeException failure) {
                    if (open.size() == 1 || !blamesContent(failure)) {
                        throw failure;
                    }
                    open = olderHalf(open);
                    continue;
                }
                switch (commit) {
                    case Commit.Done done -> {
                        becomeBolder();
                        if (!recording.carried()) {
                            record(open, attempt, done);
                        }
                        if (open.stream().noneMatch(PendingRequest::part)) {
                            open.forEach(PendingRequest::settle);
                            return;
                        }
                        // The rest is decided on what was saved. This ends: each part writes
                        // something.
                        open.forEach(PendingRequest::keepPart);
                        attempt = 0;
                        alone = 0;
                    }
                    // Another writer came first, or this is unknown: read again and decide afresh.
                    case Commit.Conflict conflict -> {
                        open.forEach(pending -> pending.met(conflict));
                        if (proposal.page().meetAgain(conflict)) {
                            becomeShyer();
                        }
                    }
                    case Commit.Unknown unknown -> {
                        boolean tells = recording.carried() || refusedHalfWay(half);
                        open.forEach(pending -> pending.met(unknown, tells, proposal.page()));
                        recordHalf(open, attempt, unknown, half);
                        open.forEach(pending -> pending.told(half));
                        becomeShyer();
                    }
                }
                if (open.size() > 1 && attempt > 0 && attempt % ATTEMPTS_TOGETHER_MAX == 0) {
                    open = olderHalf(open);
                }
            }
            book.forget();
            open.forEach(PendingRequest::giveUp);
        } catch (UnrecordedException failure) {
            open.forEach(pending -> pending.failUnrecorded(failure));
        } catch (RuntimeException | Error failure) {
            book.forget();
            open.forEach(pending -> pending.fail(failure));
        } finally {
            // The others of the batch are not to suffer for it.
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Whether the request that is left may be tried again. What it met together with others counts, but it
    /// is not given up before it was tried alone.
    private boolean mayTryAgain(List<PendingRequest<V, C, ?>> last, int alone) {
        return alone < Math.min(ATTEMPTS_TOGETHER_MAX, limits.attemptsMax())
                || last.stream().allMatch(pending -> pending.failedAttempts() < limits.attemptsMax());
    }

    /// Whether a call of the store failed because of what one of the requests wants to read or write.
    private static boolean blamesContent(RuntimeException failure) {
        return failure instanceof IllegalArgumentException
                || (failure instanceof DatastoreException refused && refused.kind() == DatastoreException.Kind.FAILED);
    }

    /// Saves, and resolves a lost answer where the book can see that the writes were applied.
    ///
    /// @param half takes what was written if the save stops half way
    private Commit save(Page<V, C> page, List<PartialCommit> half, Recording recording) {
        var commit = page.save(half::add, recording);
        if (!(commit instanceof Commit.Unknown) || refusedHalfWay(half)) {
            return commit;
        }
        try {
            return page.findApplied().<Commit>map(done -> done).orElse(commit);
        } catch (DatastoreException unreadable) {
            return commit;
        }
    }

    private static boolean refusedHalfWay(List<PartialCommit> half) {
        return half.stream().anyMatch(done -> done.rest() == PartialCommit.Rest.NOT_WRITTEN);
    }

    private record Proposal<V, C extends Change>(Page<V, C> page, List<PendingRequest<V, C, ?>> waiting) {}

    /// Decides the requests in order on one page. A request whose engine fails, fails alone. One that is
    /// too much for a page has it for itself, and is saved as far as it fits.
    private Proposal<V, C> propose(List<PendingRequest<V, C, ?>> batch) {
        var page = book.open();
        var decided = new ArrayList<PendingRequest<V, C, ?>>();
        for (int index = 0; index < batch.size(); index++) {
            var pending = batch.get(index);
            try {
                var later = batch.subList(index + 1, batch.size());
                page = decide(pending, later, page, decided.isEmpty() ? Cut.ALLOWED : Cut.FORBIDDEN);
                decided.add(pending);
                if (pending.part()) {
                    putBack(batch.subList(index + 1, batch.size()));
                    break;
                }
            } catch (PageFullException full) {
                if (decided.isEmpty()) {
                    pending.fail(full);
                } else {
                    putBack(batch.subList(index, batch.size()));
                    break;
                }
            } catch (RuntimeException failure) {
                pending.fail(failure);
            }
        }
        return new Proposal<>(page, decided);
    }

    /// What was written is in the ledger before anything is decided anew: how that ends is not known
    /// yet.
    private void recordHalf(
            List<PendingRequest<V, C, ?>> waiting, int attempt, Commit.Unknown unknown, List<PartialCommit> halves) {
        var now = clock.instant();
        var words = waiting.stream().map(PendingRequest::words).collect(Collectors.joining("; "));
        var entries = halves.stream()
                .filter(PartialCommit::changesHoldings)
                .map(half -> new Ledger.Entry(
                        now,
                        words,
                        Fact.text(unknown.reason()),
                        attempt,
                        half.revision(),
                        half.granted(),
                        half.returned(),
                        List.of()))
                .toList();
        try {
            ledger.append(entries);
        } catch (RuntimeException failure) {
            unrecorded = entries;
            throw new UnsettledException("half done, and the ledger could not be written: " + failure.getMessage());
        }
    }

    private Recording recording(List<PendingRequest<V, C, ?>> waiting, int attempt) {
        return new Recording(ledger::commit, () -> entries(waiting, attempt, 0));
    }

    private List<Ledger.Entry> entries(List<PendingRequest<V, C, ?>> waiting, int attempt, long revision) {
        var now = clock.instant();
        return waiting.stream()
                .flatMap(pending -> pending.entries(now, attempt, revision).stream())
                .toList();
    }

    private void record(List<PendingRequest<V, C, ?>> waiting, int attempt, Commit.Done done) {
        long revision =
                done.revisions().stream().mapToLong(Long::longValue).max().orElse(0);
        var entries = entries(waiting, attempt, revision);
        try {
            ledger.append(entries);
        } catch (RuntimeException failure) {
            unrecorded = entries;
            throw new UnrecordedException(
                    "done at revision %d, but the ledger could not be written: %s"
                            .formatted(revision, failure.getMessage()),
                    failure);
        }
    }

    /// Nothing further is committed before what was committed is in the ledger. An attempt to write it may
    /// have failed after it had its effect.
    private void recordLeftOver() {
        if (unrecorded.isEmpty()) {
            return;
        }
        try {
            ledger.appendUnlessThere(unrecorded);
            unrecorded = List.of();
        } catch (RuntimeException failure) {
            throw new UnsettledException("not begun, since the ledger cannot be written: " + failure.getMessage());
        }
    }

    private void becomeBolder() {
        crowdingNanos /= 2;
        if (crowdingNanos < CROWDING_MIN.toNanos() / 2) {
            crowdingNanos = 0;
        }
    }

    private void becomeShyer() {
        crowdingNanos = Math.min(limits.backoffMax().toNanos(), Math.max(CROWDING_MIN.toNanos(), 2 * crowdingNanos));
    }

    /// Pauses if there are rivals. Returns whether it was interrupted.
    private boolean stepAside() {
        if (crowdingNanos == 0) {
            return false;
        }
        try {
            pause.pause(Duration.ofNanos(dice.nextLong(crowdingNanos + 1)));
            return false;
        } catch (InterruptedException interrupted) {
            return true;
        }
    }
}
