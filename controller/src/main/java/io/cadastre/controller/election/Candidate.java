package io.cadastre.controller.election;

import io.cadastre.controller.election.Mandate.Renewal;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Somebody who stands for an office and, once he has it, keeps it. Used by one thread.
///
/// A lease is his if it says what he himself wrote there, and not if it merely has his name: another
/// process may have the same, and a process that was started anew knows nothing of what the one before
/// was about to write.
public final class Candidate {

    /// What client-go writes into a lease that nobody holds.
    private static final Duration VACANT_DURATION = Duration.ofSeconds(1);

    private final Datastore store;
    private final ElectionSettings settings;
    private final Stopwatch stopwatch;
    private final InstantSource clock;

    /// What the lease was when it last changed, and when that was seen.
    private @Nullable Observation observation;

    /// What he wrote last and was told so.
    private @Nullable Lease granted;

    /// What he wrote last, or may have written: the answer could have been lost.
    private @Nullable Lease written;

    private @Nullable Mandate mandate;

    private record Observation(long revision, long nanos) {}

    public Candidate(
            Datastore store, ElectionSettings settings, Stopwatch stopwatch, InstantSource clock) {
        this.store = store;
        this.settings = settings;
        this.stopwatch = stopwatch;
        this.clock = clock;
    }

    /// How things stand after an attempt.
    public sealed interface Standing {

        /// He holds the office.
        record Leading(Mandate mandate) implements Standing {}

        /// Another does, or it is not known who.
        ///
        /// @param holder empty if it is not known
        record Waiting(String holder) implements Standing {}
    }

    /// Looks at the lease, and takes or renews it if that can be.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if the lease is none
    public Standing attempt() {
        var asked = new Renewal(stopwatch.nanos(), clock.instant());
        var stored = store.get(settings.key());
        if (stored.isEmpty()) {
            return write(first(asked), asked, Optional.empty());
        }
        var lease = Lease.read(settings.key(), stored.get().value());
        observe(stored.get());
        if (own(lease) && mandate != null && mandate.valid()) {
            return write(renewed(lease, asked), asked, stored);
        }
        giveUp();
        if (lease.held() && !own(lease) && !expired(lease)) {
            return new Standing.Waiting(lease.holder());
        }
        return write(taken(lease, asked), asked, stored);
    }

    private boolean own(Lease lease) {
        return lease.equals(written) || lease.equals(granted);
    }

    private void observe(Document stored) {
        if (observation == null || observation.revision() != stored.revision()) {
            observation = new Observation(stored.revision(), stopwatch.nanos());
        }
    }

    /// Whether nobody renewed it while this candidate looked on.
    private boolean expired(Lease lease) {
        if (observation == null) {
            return false;
        }
        var limit =
                lease.duration().compareTo(settings.leaseDuration()) > 0
                        ? lease.duration()
                        : settings.leaseDuration();
        return Duration.ofNanos(stopwatch.nanos() - observation.nanos()).compareTo(limit) > 0;
    }

    private Lease first(Renewal asked) {
        return new Lease(settings.identity(), settings.leaseDuration(), asked.at(), asked.at(), 0);
    }

    private Lease taken(Lease former, Renewal asked) {
        return new Lease(
                settings.identity(),
                settings.leaseDuration(),
                asked.at(),
                asked.at(),
                former.transitions() + 1);
    }

    private Lease renewed(Lease own, Renewal asked) {
        return new Lease(
                own.holder(),
                settings.leaseDuration(),
                own.acquiredAt(),
                asked.at(),
                own.transitions());
    }

    private Standing write(Lease lease, Renewal asked, Optional<Document> stored) {
        written = lease;
        return switch (store.commit(List.of(write(lease, stored)))) {
            case Commit.Done(var revisions) -> {
                observation = new Observation(revisions.getFirst(), stopwatch.nanos());
                granted = lease;
                yield granted(asked);
            }
            // Another was faster: the next attempt sees who.
            case Commit.Conflict _ -> {
                giveUp();
                yield new Standing.Waiting("");
            }
            // The next attempt sees whether it was written. A term that is under way goes on until
            // its
            // deadline.
            case Commit.Unknown _ -> underWay();
        };
    }

    private Write write(Lease lease, Optional<Document> stored) {
        return stored.<Write>map(
                        found ->
                                new Write.Update(
                                        settings.key(),
                                        lease.update(settings.key(), found.value()),
                                        found.revision()))
                .orElseGet(
                        () ->
                                new Write.Create(
                                        settings.key(),
                                        lease.create(settings.namespace(), settings.name())));
    }

    private Standing granted(Renewal asked) {
        if (mandate != null && mandate.valid()) {
            mandate.renew(asked);
        } else {
            mandate = new Mandate(settings, stopwatch, clock, asked);
        }
        return underWay();
    }

    /// How things stand without another look.
    public Standing underWay() {
        return mandate != null && mandate.valid()
                ? new Standing.Leading(mandate)
                : new Standing.Waiting("");
    }

    private void giveUp() {
        if (mandate != null) {
            mandate.end();
            mandate = null;
        }
    }

    /// Ends the term, if there is one: from now on nothing is written in it.
    public void endTerm() {
        giveUp();
    }

    /// Lets the next one take the office at once, if it was this one's. The term must have ended, and
    /// nobody may still be writing.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer; then the lease
    ///     expires by itself
    public void vacate() {
        if (mandate != null) {
            throw new IllegalStateException("the term has not ended");
        }
        var stored = store.get(settings.key());
        if (stored.isEmpty()) {
            return;
        }
        var lease = Lease.read(settings.key(), stored.get().value());
        if (!lease.held() || !own(lease)) {
            return;
        }
        var now = clock.instant();
        var vacant = new Lease("", VACANT_DURATION, now, now, lease.transitions());
        // If it is not written, or nobody knows, the lease expires by itself.
        store.commit(List.of(write(vacant, stored)));
    }
}
