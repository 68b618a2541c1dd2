package io.cadastre.controller.spiderpool.multus;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.controller.watch.SharedWatches;
import io.cadastre.controller.watch.StoredKind;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Request;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.multus.AttachmentBook;
import io.cadastre.wire.spiderpool.multus.AttachmentKeys;
import io.cadastre.wire.spiderpool.multus.AttachmentOutcome;
import io.cadastre.wire.spiderpool.multus.Attachments;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Follows the SpiderMultusConfigs of a cluster and, while it is elected, keeps the NetworkAttachmentDefinition of
/// each.
public final class MultusNetworks implements ControlLoop {

    public static final String NAME = "spiderpool-multus";

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /// Not the name of an object.
    private static final String FIND_KINDS = "";

    private final ControllerContext context;
    private final WorkQueue<String> queue;
    private final ConfigNames names;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile @Nullable ControllerContext term;
    private volatile long lastTurnNanos;
    private volatile boolean closed;

    /// What follows both kinds, once they are there. Only the thread of this loop touches it.
    private @Nullable SharedWatches watches;

    public MultusNetworks(ControllerContext context) {
        this.context = context;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.names = new ConfigNames(queue::add);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.threads = new LoopThreads(context);
        this.failures = new FailureReports(context);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// None from the beginning: a cluster that lacks a kind would never be ready.
    @Override
    public List<KindHandler> handlers() {
        return List.of();
    }

    @Override
    public void start() {
        queue.add(FIND_KINDS);
        threads.begin("multus-networks", this::work);
    }

    @Override
    public void elected(FencedDatastore fenced) {
        term = context.with(fenced);
        names.all().forEach(queue::add);
    }

    @Override
    public void dismissed() {
        term = null;
    }

    private void work() throws InterruptedException {
        // Ends: when this is closed.
        while (!closed) {
            lastTurnNanos = context.stopwatch().nanos();
            queue.take(LOOK_UP).ifPresent(this::turn);
        }
        var following = watches;
        if (following != null) {
            following.close();
        }
    }

    private void turn(String name) {
        try {
            if (name.equals(FIND_KINDS)) {
                findKinds();
                return;
            }
            var current = term;
            if (current != null) {
                sync(current, name);
            }
            queue.succeeded(name);
        } catch (LeadershipLostException _) {
            // The next leader looks at all of them.
        } catch (DatastoreException | UnsettledException | UnrecordedException failed) {
            failures.report(
                    name,
                    "cannot keep the NetworkAttachmentDefinition of SpiderMultusConfig %s: %s"
                            .formatted(name, failed.getMessage()));
            queue.retry(name);
        } finally {
            queue.done(name);
        }
    }

    // ---- the kinds ----

    private void findKinds() {
        if (watches != null) {
            return;
        }
        try {
            if (StoredKind.isThere(context.store(), SpiderKeys.MULTUS_CONFIGS)
                    && StoredKind.isThere(context.store(), AttachmentKeys.ATTACHMENTS)) {
                watches = SharedWatches.begin(context.store(), context.pause(), names.handlers(), context.reports());
                return;
            }
        } catch (DatastoreException failed) {
            failures.report(FIND_KINDS, "cannot look for SpiderMultusConfigs: " + failed.getMessage());
        }
        queue.addAfter(FIND_KINDS, StoredKind.PERIOD);
    }

    // ---- one SpiderMultusConfig ----

    private void sync(ControllerContext current, String name) {
        int slash = name.indexOf('/');
        var book = new AttachmentBook(current.store(), name.substring(0, slash), name.substring(slash + 1));
        // A look, so that the ledger records only what changes something.
        var looked = Attachments.sync(book.open().view());
        var outcome = looked.changes().isEmpty()
                ? looked.outcome()
                : current.registrar(book).enact(new Request<>("%s sync %s".formatted(NAME, name), Attachments::sync));
        switch (outcome) {
            case AttachmentOutcome.Refused(var why) ->
                failures.report(name, "SpiderMultusConfig %s: %s".formatted(name, why));
            case AttachmentOutcome.Created _,
                    AttachmentOutcome.Updated _,
                    AttachmentOutcome.Unchanged _,
                    AttachmentOutcome.Removed _ -> failures.forget(name);
        }
    }

    // ---- what is shown ----

    @Override
    public List<Metric> figures() {
        return term == null ? List.of() : queue.figures(NAME);
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        closed = true;
        queue.add(FIND_KINDS);
        threads.close();
    }
}
