package io.cadastre.registry;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Change;
import io.cadastre.engine.Decision;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

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
/// Rivals for the same documents pause before they try again ([ConflictBackoff]), unless a page says that they
/// will not conflict again.
public final class Registrar<V, C extends Change> {

    /// After every this many attempts the younger half of a batch goes back to the queue.
    private static final int ATTEMPTS_TOGETHER_MAX = 5;

    /// In the first attempts, requests join that have arrived by the time everything is read. A batch that does not
    /// succeed only becomes smaller after that.
    private static final int JOINED_ATTEMPTS_MAX = ATTEMPTS_TOGETHER_MAX - 1;

    private final Book<V, C> book;
    private final Limits limits;
    private final RequestQueue<V, C> queue;
    private final BatchDecider<V, C> decider;
    private final BatchRecorder recorder;
    private final ConflictBackoff backoff;
    private final InstantSource clock;

    public Registrar(
            Book<V, C> book, Recorder ledger, Limits limits, InstantSource clock, RandomGenerator dice, Pause pause) {
        this.book = book;
        this.limits = limits;
        this.queue = new RequestQueue<>(limits);
        this.decider = new BatchDecider<>(book);
        this.recorder = new BatchRecorder(ledger, clock);
        this.clock = clock;
        this.backoff = new ConflictBackoff(limits.backoffMax(), dice, pause);
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
        return outcome(pending, queue.admit(pending));
    }

    private <O> O outcome(PendingRequest<V, C, O> pending, boolean leads) {
        if (leads || pending.awaitTurn()) {
            try {
                settle(queue.nextBatch());
            } finally {
                queue.handOver();
            }
        }
        return pending.outcome();
    }

    /// Decides the requests in this order, combined as any others, and reports each outcome once it is durable. If
    /// one fails, the others are settled nevertheless, and then its failure is thrown.
    ///
    /// @param requests no more than may wait for their turn
    /// @throws UnsettledException as [#enact(Request)]
    public <O> void enactAll(List<Request<V, C, O>> requests, BiConsumer<Request<V, C, O>, O> report) {
        var pending = requests.stream().map(PendingRequest<V, C, O>::new).toList();
        var leads = queue.admitAll(pending);
        var failures = new ArrayList<RuntimeException>();
        for (int index = 0; index < requests.size(); index++) {
            try {
                report.accept(requests.get(index), outcome(pending.get(index), leads && index == 0));
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        if (!failures.isEmpty()) {
            var first = failures.getFirst();
            // Requests that were decided together fail together, with one exception.
            failures.stream().distinct().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /// The decision as it would be saved now: conflicts that a save would have are found, and decided
    /// afresh. Nothing is written.
    ///
    /// @throws UnsettledException if every attempt would have a conflict
    public <O> Decision<C, O> explain(Request<V, C, O> request) {
        var pending = new PendingRequest<V, C, O>(request);
        var page = book.open();
        for (int attempt = 1; attempt <= limits.attemptsMax(); attempt++) {
            var again = decider.decide(pending, page).rehearse();
            if (again.isEmpty()) {
                return pending.decision();
            }
            page = again.get();
        }
        throw new UnsettledException("%s: %d attempts did not find what it would come to; others write all the time"
                        .formatted(pending.words(), limits.attemptsMax()))
                .because(UnsettledException.Reason.ATTEMPTS);
    }

    /// How many requests wait for their turn now.
    public int waiting() {
        return queue.size();
    }

    /// Every request of the batch ends in an outcome or a failure, or is put back.
    private void settle(List<PendingRequest<V, C, ?>> batch) {
        var open = batch;
        boolean interrupted = false;
        try {
            recorder.recordLeftOver();
            int attempt = 0;
            int alone = 0;
            // Ends: a batch is halved until one request is left of it.
            while (open.size() > 1 || mayTryAgain(open, alone)) {
                attempt++;
                alone += open.size() == 1 ? 1 : 0;
                interrupted |= backoff.pause();
                var begun = clock.instant();
                int joining = attempt <= JOINED_ATTEMPTS_MAX ? limits.combineMax() - open.size() : 0;
                var joined = new ArrayList<PendingRequest<V, C, ?>>();
                BatchDecider.Proposal<V, C> proposal;
                try {
                    proposal = decider.propose(open, () -> {
                        joined.addAll(queue.take(joining));
                        return joined;
                    });
                } catch (RuntimeException | Error failure) {
                    joined.addAll(0, open);
                    open = joined;
                    throw failure;
                }
                queue.putBack(proposal.left());
                open = proposal.decided();
                var half = new ArrayList<PartialCommit>();
                var recording = recorder.recording(open, attempt);
                Commit commit;
                try {
                    commit = save(proposal.page(), half, recording);
                } catch (RuntimeException failure) {
                    if (open.size() == 1 || !BatchDecider.blamesContent(failure)) {
                        throw failure;
                    }
                    open = queue.olderHalf(open);
                    continue;
                }
                switch (commit) {
                    case Commit.Done done -> {
                        backoff.shorten();
                        if (!recording.carried()) {
                            recorder.record(open, attempt, done);
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
                            backoff.lengthen(Duration.between(begun, clock.instant()));
                        }
                    }
                    case Commit.Unknown unknown -> {
                        boolean tells = recording.carried() || PartialCommit.refused(half);
                        open.forEach(pending -> pending.met(unknown, half, tells, proposal.page()));
                        recorder.recordHalf(open, attempt, unknown, half);
                        open.forEach(pending -> pending.told(half));
                        backoff.lengthen(Duration.between(begun, clock.instant()));
                    }
                }
                if (open.size() > 1 && attempt > 0 && attempt % ATTEMPTS_TOGETHER_MAX == 0) {
                    open = queue.olderHalf(open);
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

    /// Saves, and resolves a lost answer where the book can see that the writes were applied.
    ///
    /// @param half takes what was written if the save stops half way
    private Commit save(Page<V, C> page, List<PartialCommit> half, Recording recording) {
        var commit = page.save(half::add, recording);
        if (!(commit instanceof Commit.Unknown) || PartialCommit.refused(half)) {
            return commit;
        }
        try {
            return page.findApplied().<Commit>map(done -> done).orElse(commit);
        } catch (DatastoreException unreadable) {
            return commit;
        }
    }
}
