package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import io.cadastre.engine.Lack;
import io.cadastre.engine.Unread;

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
/// No request fails for another's sake. One whose engine fails, fails alone; and a batch that meets
/// setback after setback is halved again and again, so that in the end a request that cannot be settled
/// is tried, and given up, alone.
///
/// A request that needs more writes than one commit takes is saved part by part, each at a seam of its
/// decision, and the rest is decided anew on what was saved. Every part is in the ledger as soon as it
/// is saved. If something fails after that, the request comes to what was saved.
///
/// Rivals at the same documents meet again unless they step aside. The pause before an attempt is random
/// up to a bound that every conflict doubles and every success halves, and it outlasts the request:
/// would a winner go on without a pause, he would win again and again, and those who wait longer after
/// each loss would starve. So all rivals come to about the same bound, and about every other attempt
/// goes well, however many they are. Where a page says that they will not meet again there is no pause.
public final class Registrar<V, C extends Change> {

    /// The least bound of a pause that is made at all.
    private static final Duration CROWDING_MIN = Duration.ofMillis(1);

    /// After each this many attempts the younger half of a batch goes back to those who wait.
    private static final int ATTEMPTS_TOGETHER_MAX = 5;

    /// An engine is asked this often in one attempt, each time on a page that has read more.
    private static final int READINGS_MAX = 10_000;

    /// A look at what a request is going to lack takes this often something for granted.
    private static final int ASSUMPTIONS_MAX = 10;

    private final Book<V, C> book;
    private final Recorder ledger;
    private final Limits limits;
    private final InstantSource clock;
    private final RandomGenerator dice;
    private final Pause pause;

    /// Guards `waiting` and `led`, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    /// Requests that nobody has begun to settle, oldest first.
    private final ArrayDeque<Matter<V, C, ?>> waiting = new ArrayDeque<>();

    /// Whether some thread is settling a batch.
    private boolean led;

    /// Entries of commits that the ledger did not take. Only the thread that leads touches it. While
    /// there are any nothing is committed, so there are never more than one batch.
    private List<Ledger.Entry> unrecorded = List.of();

    /// The bound of the pause before an attempt; zero if there are no rivals. Only the thread that leads
    /// touches it.
    private long crowdingNanos;

    public Registrar(
            Book<V, C> book,
            Recorder ledger,
            Limits limits,
            InstantSource clock,
            RandomGenerator dice,
            Pause pause) {
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
        var matter = new Matter<V, C, O>(request);
        if (admit(matter) || matter.awaitTurn()) {
            try {
                settle(nextBatch());
            } finally {
                handOver();
            }
        }
        return matter.outcome();
    }

    /// The decision as it would be saved now: whatever a save would meet is met, and decided afresh. Nothing
    /// is written.
    ///
    /// @throws UnsettledException if every attempt would meet a conflict
    public <O> Decision<C, O> explain(Request<V, C, O> request) {
        var matter = new Matter<V, C, O>(request);
        var page = book.open();
        for (int attempt = 1; attempt <= limits.attemptsMax(); attempt++) {
            var again = decide(matter, List.of(), page, Cut.ALLOWED).rehearse();
            if (again.isEmpty()) {
                return matter.decision();
            }
            page = again.get();
        }
        throw new UnsettledException(
                "%s: %d attempts did not find what it would come to; others write all the time"
                        .formatted(matter.words(), limits.attemptsMax()));
    }

    /// Whether a decision that does not fit into a page may be noted in part.
    private enum Cut {
        ALLOWED,
        FORBIDDEN
    }

    /// Asks the engine, on a page that reads more as often as the engine lacks something.
    ///
    /// @param later those that are decided after it. What they lack is read along, so that a batch takes no
    ///     more round trips than one of its requests.
    private Page<V, C> decide(
            Matter<V, C, ?> matter, List<Matter<V, C, ?>> later, Page<V, C> open, Cut cut) {
        var page = open;
        for (int reading = 1; reading <= READINGS_MAX; reading++) {
            try {
                return decided(matter, page, cut);
            } catch (Unread unread) {
                var assumed = page.assuming(unread.lacks());
                page = assumed.isPresent() ? assumed.get() : read(page, unread.lacks(), later);
            }
        }
        throw new IllegalStateException(
                "%s: after %d readings the engine still lacks something"
                        .formatted(matter.words(), READINGS_MAX));
    }

    private Page<V, C> decided(Matter<V, C, ?> matter, Page<V, C> page, Cut cut) {
        matter.decide(page, book);
        var noted = noted(matter, page, cut);
        if (matter.refuses()) {
            page.checkRefusal();
        }
        return noted;
    }

    private Page<V, C> read(Page<V, C> page, List<Lack> lacks, List<Matter<V, C, ?>> later) {
        var soon = new LinkedHashSet<Lack>();
        for (var matter : later) {
            soon.addAll(lacks(matter, page));
        }
        lacks.forEach(soon::remove);
        try {
            return page.reading(lacks, List.copyOf(soon));
        } catch (RuntimeException failure) {
            if (soon.isEmpty() || !blamesContent(failure)) {
                throw failure;
            }
            // It may be for the sake of another.
            return page.reading(lacks, List.of());
        }
    }

    /// What would have to be read next if this request were decided on the page. Whatever else keeps it from
    /// being decided is found when it is its turn.
    private List<Lack> lacks(Matter<V, C, ?> matter, Page<V, C> open) {
        var page = open;
        for (int assumption = 0; assumption <= ASSUMPTIONS_MAX; assumption++) {
            try {
                decided(matter, page, Cut.FORBIDDEN);
                return List.of();
            } catch (Unread unread) {
                var assumed = page.assuming(unread.lacks());
                if (assumed.isEmpty()) {
                    return unread.lacks();
                }
                page = assumed.get();
            } catch (RuntimeException _) {
                return List.of();
            }
        }
        return List.of();
    }

    private Page<V, C> noted(Matter<V, C, ?> matter, Page<V, C> page, Cut cut) {
        try {
            return page.with(matter.changes());
        } catch (PageFullException full) {
            if (cut == Cut.FORBIDDEN || !matter.cut(full.fitting())) {
                throw full;
            }
            return page.with(matter.changes());
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

    /// Puts the request in line and tells whether its thread must lead.
    private boolean admit(Matter<V, C, ?> matter) {
        lock.lock();
        try {
            if (waiting.size() >= limits.waitingMax()) {
                throw new UnsettledException(
                        "%s: %d requests are waiting already, which is the most"
                                .formatted(matter.words(), limits.waitingMax()));
            }
            waiting.add(matter);
            boolean lead = !led;
            led = true;
            return lead;
        } finally {
            lock.unlock();
        }
    }

    private List<Matter<V, C, ?>> nextBatch() {
        lock.lock();
        try {
            var batch = new ArrayList<Matter<V, C, ?>>();
            while (batch.size() < limits.combineMax() && !waiting.isEmpty()) {
                batch.add(waiting.removeFirst());
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// Requests that did not fit into the commit are the oldest again.
    private void putBack(List<Matter<V, C, ?>> rest) {
        lock.lock();
        try {
            for (var matter : rest.reversed()) {
                waiting.addFirst(matter);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The younger half is put back.
    private List<Matter<V, C, ?>> olderHalf(List<Matter<V, C, ?>> batch) {
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
    private void settle(List<Matter<V, C, ?>> batch) {
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
                open = proposal.matters();
                var half = new ArrayList<HalfDone>();
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
                        if (open.stream().noneMatch(Matter::part)) {
                            open.forEach(Matter::settle);
                            return;
                        }
                        // The rest is decided on what was saved. This ends: each part writes
                        // something.
                        open.forEach(Matter::keepPart);
                        attempt = 0;
                        alone = 0;
                    }
                    // Another writer came first, or we cannot tell: look again and decide afresh.
                    case Commit.Conflict conflict -> {
                        open.forEach(matter -> matter.met(conflict));
                        if (proposal.page().meetAgain(conflict)) {
                            becomeShyer();
                        }
                    }
                    case Commit.Unknown unknown -> {
                        boolean tells = recording.carried() || refusedHalfWay(half);
                        open.forEach(matter -> matter.met(unknown, tells, proposal.page()));
                        recordHalf(open, attempt, unknown, half);
                        open.forEach(matter -> matter.told(half));
                        becomeShyer();
                    }
                }
                if (open.size() > 1 && attempt > 0 && attempt % ATTEMPTS_TOGETHER_MAX == 0) {
                    open = olderHalf(open);
                }
            }
            book.forget();
            open.forEach(Matter::giveUp);
        } catch (UnrecordedException failure) {
            open.forEach(matter -> matter.failUnrecorded(failure));
        } catch (RuntimeException | Error failure) {
            book.forget();
            open.forEach(matter -> matter.fail(failure));
        } finally {
            // The others of the batch are not to suffer for it.
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Whether the request that is left may be tried again. What it met together with others counts, but it
    /// is not given up before it was tried alone.
    private boolean mayTryAgain(List<Matter<V, C, ?>> last, int alone) {
        return alone < Math.min(ATTEMPTS_TOGETHER_MAX, limits.attemptsMax())
                || last.stream().allMatch(matter -> matter.setbacks() < limits.attemptsMax());
    }

    /// Whether a call of the store failed because of what one of the requests wants to read or write.
    private static boolean blamesContent(RuntimeException failure) {
        return failure instanceof IllegalArgumentException
                || (failure instanceof DatastoreException refused
                        && refused.kind() == DatastoreException.Kind.FAILED);
    }

    /// Saves, and resolves a lost answer where the book can tell that the writes have landed.
    ///
    /// @param half takes what was written if the save stops half way
    private Commit save(Page<V, C> page, List<HalfDone> half, Recording recording) {
        var commit = page.save(half::add, recording);
        if (!(commit instanceof Commit.Unknown) || refusedHalfWay(half)) {
            return commit;
        }
        try {
            return page.landed().<Commit>map(done -> done).orElse(commit);
        } catch (DatastoreException unreadable) {
            return commit;
        }
    }

    private static boolean refusedHalfWay(List<HalfDone> half) {
        return half.stream().anyMatch(done -> done.rest() == HalfDone.Rest.NOT_WRITTEN);
    }

    private record Proposal<V, C extends Change>(Page<V, C> page, List<Matter<V, C, ?>> matters) {}

    /// Decides the requests in order on one page. A request whose engine fails, fails alone. One that is
    /// too much for a page has it for itself, and is saved as far as it fits.
    private Proposal<V, C> propose(List<Matter<V, C, ?>> batch) {
        var page = book.open();
        var decided = new ArrayList<Matter<V, C, ?>>();
        for (int index = 0; index < batch.size(); index++) {
            var matter = batch.get(index);
            try {
                var later = batch.subList(index + 1, batch.size());
                page = decide(matter, later, page, decided.isEmpty() ? Cut.ALLOWED : Cut.FORBIDDEN);
                decided.add(matter);
                if (matter.part()) {
                    putBack(batch.subList(index + 1, batch.size()));
                    break;
                }
            } catch (PageFullException full) {
                if (decided.isEmpty()) {
                    matter.fail(full);
                } else {
                    putBack(batch.subList(index, batch.size()));
                    break;
                }
            } catch (RuntimeException failure) {
                matter.fail(failure);
            }
        }
        return new Proposal<>(page, decided);
    }

    /// What was written is in the ledger before anything is decided anew: nobody knows how that ends.
    private void recordHalf(
            List<Matter<V, C, ?>> matters,
            int attempt,
            Commit.Unknown unknown,
            List<HalfDone> halves) {
        var now = clock.instant();
        var words = matters.stream().map(Matter::words).collect(Collectors.joining("; "));
        var entries =
                halves.stream()
                        .filter(HalfDone::matters)
                        .map(
                                half ->
                                        new Ledger.Entry(
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
            throw new UnsettledException(
                    "half done, and the ledger could not be written: " + failure.getMessage());
        }
    }

    private Recording recording(List<Matter<V, C, ?>> matters, int attempt) {
        return new Recording(ledger::commit, () -> entries(matters, attempt, 0));
    }

    private List<Ledger.Entry> entries(List<Matter<V, C, ?>> matters, int attempt, long revision) {
        var now = clock.instant();
        return matters.stream()
                .flatMap(matter -> matter.entries(now, attempt, revision).stream())
                .toList();
    }

    private void record(List<Matter<V, C, ?>> matters, int attempt, Commit.Done done) {
        long revision = done.revisions().stream().mapToLong(Long::longValue).max().orElse(0);
        var entries = entries(matters, attempt, revision);
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
            throw new UnsettledException(
                    "not begun, since the ledger cannot be written: " + failure.getMessage());
        }
    }

    private void becomeBolder() {
        crowdingNanos /= 2;
        if (crowdingNanos < CROWDING_MIN.toNanos() / 2) {
            crowdingNanos = 0;
        }
    }

    private void becomeShyer() {
        crowdingNanos =
                Math.min(
                        limits.backoffMax().toNanos(),
                        Math.max(CROWDING_MIN.toNanos(), 2 * crowdingNanos));
    }

    /// Pauses if there are rivals. Tells whether it was interrupted.
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
