package io.cadastre.controller.election;

import io.cadastre.controller.election.LeaderTerm.Renewal;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A leader elector: it tries to get a lease and, once it has it, keeps it. Used by one thread.
///
/// A lease is its own if the lease says what this elector itself wrote there, and not if it merely has its
/// name: another process may have the same name, and a restarted process does not know what the one before
/// was about to write.
public final class LeaderElector {

    /// What client-go writes into a lease that its holder leaves.
    private static final Duration VACANT_DURATION = Duration.ofSeconds(1);

    private final Datastore store;
    private final ElectionSettings settings;
    private final MonotonicClock stopwatch;
    private final InstantSource clock;

    /// What the lease was when it last changed, and when that was seen.
    private @Nullable Observation observation;

    /// How long the holders of all leases that were read may have led without renewing them.
    private Duration limitMax;

    /// What it wrote last and the store confirmed.
    private @Nullable Lease granted;

    /// What it wrote last, or may have written: the answer could have been lost.
    private @Nullable Lease written;

    private @Nullable LeaderTerm term;

    /// By when all terms of others had ended, as far as the lease that was written last tells.
    private long othersEndedNanos;

    /// @param revision zero if there was no lease
    /// @param first whether nothing else was seen before
    private record Observation(long revision, long nanos, boolean first) {}

    public LeaderElector(Datastore store, ElectionSettings settings, MonotonicClock stopwatch, InstantSource clock) {
        this.store = store;
        this.settings = settings;
        this.stopwatch = stopwatch;
        this.clock = clock;
        this.limitMax = settings.leaseDuration();
    }

    /// How things stand after an attempt.
    public sealed interface Leadership {

        /// This elector holds the lease.
        record Leading(LeaderTerm term) implements Leadership {}

        /// Another elector holds it, or the holder is not known.
        ///
        /// @param holder empty if it is not known
        record Waiting(String holder) implements Leadership {}
    }

    /// Looks at the lease, and takes or renews it if that can be.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if the document is not a lease
    public Leadership attempt() {
        var asked = new Renewal(stopwatch.nanos(), clock.instant());
        var stored = store.get(settings.key());
        var seen = observe(stored);
        boolean leads = term != null && term.valid();
        if (stored.isEmpty()) {
            giveUp();
            var others = leads || seen.first() ? Duration.ZERO : limitMax;
            if (!over(seen, others)) {
                return new Leadership.Waiting("");
            }
            othersEndedNanos = seen.nanos() + others.toNanos();
            return write(first(asked), asked, Optional.empty());
        }
        var lease = Lease.read(settings.key(), stored.get().value());
        limitMax = longer(limitMax, lease.duration());
        if (own(lease) && leads) {
            return write(renewed(lease, asked), asked, stored);
        }
        giveUp();
        if (!own(lease)) {
            var others = othersMayLead(lease, leads, seen);
            if (!over(seen, others)) {
                return new Leadership.Waiting(lease.holder());
            }
            // What a holder sent before it lost the right to write has arrived when its lease expires; a holder that
            // left its lease had its answers before.
            othersEndedNanos = seen.nanos() + others.toNanos();
        }
        return write(taken(lease, asked), asked, stored);
    }

    /// How long another elector may lead after this was seen. One whose lease is deleted, or whose name is taken out of
    /// it, leads until it looks; none does where this one led until now, or where its holder left the lease.
    private Duration othersMayLead(Lease lease, boolean leads, Observation seen) {
        boolean wasNeverHeld = seen.first() && lease.duration().isZero();
        boolean free = !lease.held() && (leads || lease.duration().equals(VACANT_DURATION) || wasNeverHeld);
        return free ? Duration.ZERO : limit(lease);
    }

    private boolean over(Observation seen, Duration limit) {
        return limit.isZero()
                || Duration.ofNanos(stopwatch.nanos() - seen.nanos()).compareTo(limit) > 0;
    }

    /// Notes the lease as it is. A lease that does not change until this elector takes it tells that what was read in
    /// between shows all that its holders wrote.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer
    public void observe() {
        var _ = observe(store.get(settings.key()));
    }

    private boolean own(Lease lease) {
        return lease.equals(written) || lease.equals(granted);
    }

    private Observation observe(Optional<Document> stored) {
        long revision = stored.map(Document::revision).orElse(0L);
        var seen = observation;
        if (seen == null || seen.revision() != revision) {
            seen = new Observation(revision, stopwatch.nanos(), seen == null);
            observation = seen;
        }
        return seen;
    }

    private Duration limit(Lease lease) {
        return longer(lease.duration(), settings.leaseDuration());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Lease first(Renewal asked) {
        return new Lease(settings.identity(), settings.leaseDuration(), asked.at(), asked.at(), 0);
    }

    private Lease taken(Lease former, Renewal asked) {
        return new Lease(
                settings.identity(), settings.leaseDuration(), asked.at(), asked.at(), former.transitions() + 1);
    }

    private Lease renewed(Lease own, Renewal asked) {
        return new Lease(own.holder(), settings.leaseDuration(), own.acquiredAt(), asked.at(), own.transitions());
    }

    private Leadership write(Lease lease, Renewal asked, Optional<Document> stored) {
        written = lease;
        return switch (store.commit(List.of(write(lease, stored)))) {
            case Commit.Done(var revisions) -> {
                observation = new Observation(revisions.getFirst(), stopwatch.nanos(), false);
                granted = lease;
                yield granted(asked);
            }
            // Another elector was faster: the next attempt sees which.
            case Commit.Conflict _ -> {
                giveUp();
                yield new Leadership.Waiting("");
            }
            // The next attempt sees whether it was written. A term that is under way goes on until
            // its
            // deadline.
            case Commit.Unknown _ -> underWay();
        };
    }

    private Write write(Lease lease, Optional<Document> stored) {
        return stored.<Write>map(found ->
                        new Write.Update(settings.key(), lease.update(settings.key(), found.value()), found.revision()))
                .orElseGet(() -> new Write.Create(settings.key(), lease.create(settings.namespace(), settings.name())));
    }

    private Leadership granted(Renewal asked) {
        if (term != null && term.valid()) {
            term.renew(asked);
        } else {
            term = new LeaderTerm(settings, stopwatch, clock, asked, othersEndedNanos);
        }
        return underWay();
    }

    /// How things stand without another look.
    public Leadership underWay() {
        return term != null && term.valid() ? new Leadership.Leading(term) : new Leadership.Waiting("");
    }

    private void giveUp() {
        if (term != null) {
            term.end();
            term = null;
        }
    }

    /// Ends the term, if there is one: from now on nothing is written in it.
    public void endTerm() {
        giveUp();
    }

    /// Lets another elector take the lease at once, if this one holds it. The term must have ended, and no
    /// thread may still be writing.
    ///
    /// @throws io.cadastre.datastore.DatastoreException if the store does not answer; then the lease
    ///     expires by itself
    public void vacate() {
        if (term != null) {
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
        // If it is not written, or that is unknown, the lease expires by itself.
        store.commit(List.of(write(vacant, stored)));
    }
}
