package io.cadastre.registry;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.Change;
import io.cadastre.engine.Missing;
import io.cadastre.engine.NotReadException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;

/// The read loop: asks engines about requests, on a page that reads more whenever one misses something.
final class BatchDecider<V, C extends Change> {

    /// An engine is asked this often in one attempt, each time on a page that has read more.
    private static final int READINGS_MAX = 10_000;

    /// How often a look ahead at what a request will need makes an assumption.
    private static final int ASSUMPTIONS_MAX = 10;

    private final Book<V, C> book;

    BatchDecider(Book<V, C> book) {
        this.book = book;
    }

    /// Whether a decision that does not fit into a page may be noted in part.
    private enum Cut {
        ALLOWED,
        FORBIDDEN
    }

    /// Requests that were decided on one page, and those that have to wait for the next one.
    record Proposal<V, C extends Change>(
            Page<V, C> page, List<PendingRequest<V, C, ?>> decided, List<PendingRequest<V, C, ?>> left) {}

    /// Decides the requests in order on one page. A request whose engine fails, fails alone. One that is
    /// too much for a page has it for itself, and is saved as far as it fits.
    ///
    /// @param arrived takes those that wait by the time everything is read for the batch. They are decided on the
    ///     same page as far as nothing has to be read for them, and wait again otherwise
    Proposal<V, C> propose(List<PendingRequest<V, C, ?>> batch, Supplier<List<PendingRequest<V, C, ?>>> arrived) {
        var page = book.open();
        var decided = new ArrayList<PendingRequest<V, C, ?>>();
        for (int index = 0; index < batch.size(); index++) {
            var pending = batch.get(index);
            var later = batch.subList(index + 1, batch.size());
            try {
                page = decide(pending, later, page, decided.isEmpty() ? Cut.ALLOWED : Cut.FORBIDDEN);
                decided.add(pending);
                if (pending.part()) {
                    return new Proposal<>(page, decided, later);
                }
            } catch (PageFullException full) {
                if (!decided.isEmpty()) {
                    return new Proposal<>(page, decided, batch.subList(index, batch.size()));
                }
                pending.fail(full);
            } catch (RuntimeException failure) {
                pending.fail(failure);
            }
        }
        return decided.isEmpty() ? new Proposal<>(page, decided, List.of()) : joined(page, decided, arrived.get());
    }

    /// The page was read before these requests were made. What they write is compared when it is saved; a refusal, or
    /// an answer that writes nothing, could be older than the request. So these wait for a page of their own.
    private Proposal<V, C> joined(
            Page<V, C> open, List<PendingRequest<V, C, ?>> decided, List<PendingRequest<V, C, ?>> arrived) {
        var page = open;
        var left = new ArrayList<PendingRequest<V, C, ?>>();
        for (var pending : arrived) {
            if (!left.isEmpty()) {
                // Requests are decided in the order in which they arrived.
                left.add(pending);
                continue;
            }
            try {
                var joined = join(pending, page);
                if (pending.refuses() || pending.changes().isEmpty()) {
                    left.add(pending);
                } else {
                    page = joined;
                    decided.add(pending);
                }
            } catch (RuntimeException _) {
                // If it fails, it is to fail on a page of its own batch.
                left.add(pending);
            }
        }
        return new Proposal<>(page, decided, left);
    }

    /// Decides a request without reading anything.
    ///
    /// @throws NotReadException if something has to be read
    private Page<V, C> join(PendingRequest<V, C, ?> pending, Page<V, C> open) {
        var page = open;
        for (int assumption = 0; assumption < ASSUMPTIONS_MAX; assumption++) {
            try {
                return decided(pending, page, Cut.FORBIDDEN);
            } catch (NotReadException notRead) {
                page = page.assuming(notRead.allMissing()).orElseThrow(() -> notRead);
            }
        }
        return decided(pending, page, Cut.FORBIDDEN);
    }

    /// Decides one request. What does not fit into the page is left out.
    Page<V, C> decide(PendingRequest<V, C, ?> pending, Page<V, C> open) {
        return decide(pending, List.of(), open, Cut.ALLOWED);
    }

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

    /// Whether a call of the store failed because of what one of the requests wants to read or write.
    static boolean blamesContent(RuntimeException failure) {
        return failure instanceof IllegalArgumentException
                || (failure instanceof DatastoreException refused
                        && (refused.kind() == DatastoreException.Kind.FAILED
                                || refused.kind() == DatastoreException.Kind.DENIED
                                || refused.kind() == DatastoreException.Kind.NOT_INSTALLED));
    }
}
